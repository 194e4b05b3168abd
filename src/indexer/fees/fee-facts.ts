import type { Database } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Logger } from '../../shared/log.ts';
import type { DecodedTransaction, FeeClaim, Migration } from '../decode/decoded-transaction.ts';
import { type ClaimRow, distributeClaims, type FeePositionRow, storeFeeFacts } from '../store/fee-claims.ts';
import type { DistributionFact } from '../store/fee-distributions.ts';
import { lamportsOf } from './token-fees.ts';

export interface FeeFactDependencies {
  db: Database;
  outbox: Outbox;
  log: Logger;
  /** The public record of a fee payment for its event. */
  describeFeeDistribution(distribution: DistributionFact): unknown;
}

/**
 * Stores the fee claims of these transactions and the positions that their migrations created, and makes
 * distributions from them. A repetition changes nothing.
 */
export async function recordFeeFacts(
  { db, outbox, log, describeFeeDistribution }: FeeFactDependencies,
  transactions: readonly (DecodedTransaction | null)[],
): Promise<void> {
  const decoded = transactions.filter((one) => one !== null);
  const claims = decoded.flatMap(({ feeClaims }) => feeClaims.flatMap((claim) => toClaim(claim, log)));
  const positions = decoded.flatMap(({ migrations }) => migrations.flatMap(toPositions));
  if (claims.length === 0 && positions.length === 0) return;
  const mints = [...new Set([...claims, ...positions].map(({ mintAddress }) => mintAddress))];
  await db.begin(async (transaction) => {
    await storeFeeFacts(transaction, claims, positions);
    await distributeClaims(transaction, outbox, describeFeeDistribution, mints);
  });
}

/** Empty for a claim that paid no SOL, because distributions count in lamports. */
function toClaim(claim: FeeClaim, log: Logger): ClaimRow[] {
  const lamports = lamportsOf(claim.solAmount);
  const { innerIndex, blockTime, mintAddress, signature } = claim;
  if (lamports === 0n || innerIndex === null) return [];
  if (blockTime === null) {
    // The state of the pool includes the claim. Without a time it cannot be listed.
    log.warn({ mintAddress, signature }, 'fees.claim_without_time');
    return [];
  }
  return [
    {
      transactionSignature: signature,
      outerIndex: claim.outerIndex,
      innerIndex,
      mintAddress,
      poolAddress: claim.poolAddress,
      kind: claim.kind,
      claimantWallet: claim.claimant,
      positionAddress: claim.positionAddress,
      recipientWallet: claim.solRecipient ?? claim.claimant,
      amountLamports: lamports.toString(),
      slot: claim.slot,
      claimedAt: blockTime,
    },
  ];
}

function toPositions({ mintAddress, positions }: Migration): FeePositionRow[] {
  return positions.map(({ positionAddress, ownerAddress, nftMintAddress }) => ({
    positionAddress,
    mintAddress,
    ownerWallet: ownerAddress,
    nftMintAddress,
  }));
}
