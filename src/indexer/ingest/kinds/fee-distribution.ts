import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { feeRoles } from '../../../db/schema/fees.ts';
import { storeFeeDistributions } from '../../store/fee-distributions.ts';
import type { IngestContext } from '../dependencies.ts';
import { PositiveRawAmount } from '../raw-amount.ts';
import {
  Address,
  deepMistake,
  firstMistake,
  InstructionIndex,
  IntString,
  Signature,
  Timestamp,
} from '../shapes.ts';
import { APPLIED, applyIsolating, type Checked, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.fee_distribution`: one payment (contract/staking-fees#fee-distribution). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  recipientWallet: Address,
  role: Type.Union(feeRoles.map((role) => Type.Literal(role))),
  amountLamports: PositiveRawAmount,
  transactionSignature: Signature,
  instructionIndex: InstructionIndex,
  slot: IntString,
  distributedAt: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type FeeDistributionMessage = Static<typeof schema>;

export function checkFeeDistribution(value: unknown): Checked<FeeDistributionMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstMistake(compiled.Errors(value)) };
  const { mintAddress, recipientWallet, distributedAt } = value;
  const detail = deepMistake({ mintAddress, recipientWallet }, { distributedAt });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies payments of any number of tokens in one transaction, with an event each. */
export function applyFeeDistributions(
  context: IngestContext,
  messages: readonly FeeDistributionMessage[],
): Promise<Verdict[]> {
  const { db, outbox, describeFeeDistribution } = context;
  return applyIsolating(messages, async (batch) => {
    const stored = await db.begin((transaction) =>
      storeFeeDistributions(transaction, outbox, describeFeeDistribution, batch),
    );
    if (stored.eventCount > 0) context.onEventsAdded();
    return batch.map((message) => {
      const { mintAddress, transactionSignature, instructionIndex } = message;
      if (stored.unknownMints.has(mintAddress)) return waitingFor('unknown_token', mintAddress);
      if (!stored.conflicts.has(message)) return APPLIED;
      const detail = `${transactionSignature}:${instructionIndex} is stored with other contents`;
      return { outcome: 'rejected', reason: 'identity_reused', detail };
    });
  });
}
