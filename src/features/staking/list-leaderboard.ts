import type { Queryable } from '../../db/client.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { rankStakes } from './ranking.ts';
import type { StakingLeaderboard } from './schema.ts';

const LEADERBOARD_MAX = unpublishedLimits.stakingLeaderboard;

interface LeaderboardRow {
  poolStakedRaw: string;
  knownStakedRaw: string;
  asOf: Date;
  /** Null in the only row of a pool without stakers. */
  walletAddress: string | null;
  stakedRaw: string;
  stakedSince: Date;
}

/**
 * Lists the 100 largest stakers of a visible token, by one range of `staking_totals_leaderboard`, whatever
 * the number of stakers; null without a pool.
 */
export async function listLeaderboard(
  db: Queryable,
  mintAddress: string,
): Promise<StakingLeaderboard | null> {
  const rows = await db<LeaderboardRow[]>`
    select p.total_staked_raw as pool_staked_raw, coalesce(s.staked_raw, 0) as known_staked_raw,
      greatest(p.as_of, s.as_of) as as_of, w.wallet_address, w.staked_raw, w.staked_since
    from visible_tokens t
    join staking_pools p using (mint_address)
    left join staking_sums s using (mint_address)
    left join lateral (
      select wallet_address, staked_raw, staked_since from staking_totals
      where mint_address = ${mintAddress}
      order by staked_raw desc, staked_since, wallet_address
      limit ${LEADERBOARD_MAX}) w on true
    where t.mint_address = ${mintAddress}
    order by w.staked_raw desc, w.staked_since, w.wallet_address`;
  const [first] = rows;
  if (first === undefined) return null;
  const stakes = rows.flatMap(({ walletAddress, stakedRaw, stakedSince }) =>
    walletAddress === null ? [] : [{ walletAddress, stakedRaw: BigInt(stakedRaw), stakedSince }],
  );
  const totals = {
    poolStakedRaw: BigInt(first.poolStakedRaw),
    knownStakedRaw: BigInt(first.knownStakedRaw),
  };
  return { asOf: first.asOf.toISOString(), data: rankStakes(stakes, totals) };
}
