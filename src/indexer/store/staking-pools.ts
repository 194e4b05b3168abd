import type { Transaction } from '../../db/client.ts';
import type { stakingPoolStatuses } from '../../db/values/staking.ts';

/** A staking pool as observed at one slot (contract/staking-fees#staking-pool). */
export interface ObservedStakingPool {
  mintAddress: string;
  poolAddress: string;
  status: (typeof stakingPoolStatuses)[number];
  totalStakedRaw: string;
  stakerCount: number;
  rewardRatePerSecondRaw: string;
  rewardsDistributedRaw: string;
  lockPeriodSeconds: number;
  slot: string;
  asOf: string;
}

/**
 * Stores pools that are newer than the stored ones, at most one for each token. Returns the mints that
 * changed. The caller has locked the tokens.
 */
export async function storeStakingPools(
  transaction: Transaction,
  pools: readonly ObservedStakingPool[],
): Promise<string[]> {
  const column = <Key extends keyof ObservedStakingPool>(key: Key) => pools.map((pool) => pool[key]);
  const rows = await transaction<{ mintAddress: string }[]>`
    insert into staking_pools as p (mint_address, pool_address, status, total_staked_raw, staker_count,
      reward_rate_per_second_raw, rewards_distributed_raw, lock_period_seconds, slot, as_of)
    select * from unnest(${column('mintAddress')}::text[], ${column('poolAddress')}::text[],
      ${column('status')}::text[], ${column('totalStakedRaw')}::numeric[], ${column('stakerCount')}::int4[],
      ${column('rewardRatePerSecondRaw')}::numeric[], ${column('rewardsDistributedRaw')}::numeric[],
      ${column('lockPeriodSeconds')}::int4[], ${column('slot')}::int8[], ${column('asOf')}::timestamptz[])
    on conflict (mint_address) do update set pool_address = excluded.pool_address, status = excluded.status,
      total_staked_raw = excluded.total_staked_raw, staker_count = excluded.staker_count,
      reward_rate_per_second_raw = excluded.reward_rate_per_second_raw,
      rewards_distributed_raw = excluded.rewards_distributed_raw,
      lock_period_seconds = excluded.lock_period_seconds, slot = excluded.slot, as_of = excluded.as_of
    where (excluded.slot, excluded.as_of) > (p.slot, p.as_of)
    returning mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
