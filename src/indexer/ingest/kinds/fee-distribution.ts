import { type Static, Type } from '@sinclair/typebox';
import { feeRoles } from '../../../db/values/fees.ts';
import type { Outbox } from '../../../outbox/append.ts';
import { type DistributionFact, storeFeeDistributions } from '../../store/fee-distributions.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import {
  Address,
  InstructionIndex,
  IntString,
  messageCheck,
  PositiveRawAmount,
  Signature,
  Timestamp,
} from '../shapes.ts';
import { APPLIED, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.fee_distribution`: one payment (contract/staking-fees#fee-distribution). */
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

type FeeDistributionMessage = Static<typeof schema>;

export const checkFeeDistribution = messageCheck(schema);

export interface FeeDistributionDependencies extends KindDependencies {
  outbox: Outbox;
  /** The public record of a fee payment for its event. */
  describeFeeDistribution(distribution: DistributionFact): unknown;
}

/** Applies payments of several tokens in one transaction, with an event for each payment. */
export function applyFeeDistributions(
  dependencies: FeeDistributionDependencies,
  messages: readonly FeeDistributionMessage[],
): Promise<Verdict[]> {
  const { db, outbox, describeFeeDistribution } = dependencies;
  return applyIsolating(messages, async (batch) => {
    const stored = await db.begin((transaction) =>
      storeFeeDistributions(transaction, outbox, describeFeeDistribution, batch),
    );
    return batch.map((message) => {
      const { mintAddress, transactionSignature, instructionIndex } = message;
      if (stored.unknownMints.has(mintAddress)) return waitingFor('unknown_token', mintAddress);
      if (!stored.conflicts.has(message)) return APPLIED;
      const detail = `${transactionSignature}:${instructionIndex} is stored with other contents`;
      return { outcome: 'rejected', reason: 'identity_reused', detail };
    });
  });
}
