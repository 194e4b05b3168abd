import { BASIS_POINTS } from '../../chain/pools/fixed-point.ts';
import type { RankedStake } from './schema.ts';

/** A wallet's stake in one token. */
export interface Stake {
  walletAddress: string;
  stakedRaw: bigint;
  /** Start of the oldest stake that is still held. */
  stakedSince: Date;
}

/**
 * Ranks stakes that are sorted by size, largest first. Equal stakes share a rank and the next one counts them
 * all (1, 2, 2, 4). Shares are cut to whole basis points of the larger total, so they never add up to more
 * than 10,000.
 *
 * @param totals the staked total of the pool, and the sum of all known stakes
 */
export function rankStakes(
  stakes: readonly Stake[],
  totals: { poolStakedRaw: bigint; knownStakedRaw: bigint },
): RankedStake[] {
  // The pool may be observed before or after its positions: either total could be less than the listed
  // stakes.
  let total = totals.poolStakedRaw;
  if (totals.knownStakedRaw > total) total = totals.knownStakedRaw;
  let rank = 0;
  return stakes.map(({ walletAddress, stakedRaw, stakedSince }, at) => {
    if (stakes[at - 1]?.stakedRaw !== stakedRaw) rank = at + 1;
    const shareBps = total === 0n ? 0 : Number((stakedRaw * BASIS_POINTS) / total);
    return {
      rank,
      walletAddress,
      stakedRaw: stakedRaw.toString(),
      shareBps,
      stakedSince: stakedSince.toISOString(),
    };
  });
}
