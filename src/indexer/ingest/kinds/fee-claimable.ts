import { Type } from '@sinclair/typebox';
import { type ObservedClaimable, storeFeeClaimables } from '../../store/fee-claimables.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, IntString, messageCheck, RawAmount, Timestamp } from '../shapes.ts';
import { APPLIED, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.fee_claimable`: the fees of a token that a wallet can claim (contract/staking-fees#fee-state). */
const schema = Type.Object({
  mintAddress: Address,
  walletAddress: Address,
  claimableLamports: RawAmount,
  slot: IntString,
  asOf: Timestamp,
});

export const checkFeeClaimable = messageCheck(schema);

/** Applies claims of several wallets in one transaction. For one wallet and token the newest slot counts. */
export function applyFeeClaimables(
  dependencies: KindDependencies,
  messages: readonly ObservedClaimable[],
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const unknownMints = await dependencies.db.begin((transaction) => storeFeeClaimables(transaction, batch));
    return batch.map(({ mintAddress }) =>
      unknownMints.has(mintAddress) ? waitingFor('unknown_token', mintAddress) : APPLIED,
    );
  });
}
