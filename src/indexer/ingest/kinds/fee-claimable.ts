import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeFeeClaimables } from '../../store/fee-claimables.ts';
import type { IngestContext } from '../dependencies.ts';
import { RawAmount } from '../raw-amount.ts';
import { Address, deepMistake, firstMistake, IntString, Timestamp } from '../shapes.ts';
import { APPLIED, applyIsolating, type Checked, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.fee_claimable`: what a wallet can claim of a token's fees (contract/staking-fees#fee-state). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  walletAddress: Address,
  claimableLamports: RawAmount,
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type FeeClaimableMessage = Static<typeof schema>;

export function checkFeeClaimable(value: unknown): Checked<FeeClaimableMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstMistake(compiled.Errors(value)) };
  const { mintAddress, walletAddress, asOf } = value;
  const detail = deepMistake({ mintAddress, walletAddress }, { asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies claims of any number of wallets in one transaction; of one wallet and token the newest slot wins. */
export function applyFeeClaimables(
  context: IngestContext,
  messages: readonly FeeClaimableMessage[],
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const unknownMints = await context.db.begin((transaction) => storeFeeClaimables(transaction, batch));
    return batch.map(({ mintAddress }) =>
      unknownMints.has(mintAddress) ? waitingFor('unknown_token', mintAddress) : APPLIED,
    );
  });
}
