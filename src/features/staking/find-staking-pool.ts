import type { Queryable } from '../../db/client.ts';
import type { StakingPool } from './schema.ts';

type PoolRow = Omit<StakingPool, 'mintAddress' | 'slot' | 'asOf'> & { slot: bigint; asOf: Date };

export async function findStakingPool(db: Queryable, mintAddress: string): Promise<StakingPool | null> {
  const [row] = await db<PoolRow[]>`
    select p.pool_address, p.status, p.total_staked_raw, p.staker_count, p.reward_rate_per_second_raw,
      p.rewards_distributed_raw, p.lock_period_seconds, p.slot, p.as_of
    from visible_tokens t join staking_pools p using (mint_address)
    where t.mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  return { mintAddress, ...row, slot: row.slot.toString(), asOf: row.asOf.toISOString() };
}
