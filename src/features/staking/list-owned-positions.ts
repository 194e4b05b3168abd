import type { Queryable } from '../../db/client.ts';
import type { OwnedPositions } from './schema.ts';

interface PositionRow {
  poolAsOf: Date;
  /** Null in the only row of a wallet without positions. */
  id: string | null;
  stakedRaw: string;
  pendingRewardsRaw: string;
  claimedRewardsRaw: string;
  stakedAt: Date;
  unlocksAt: Date | null;
  asOf: Date;
}

/**
 * Lists a wallet's positions in a visible token, oldest first: those with a stake or with unclaimed rewards.
 * Null without a pool.
 */
export async function listOwnedPositions(
  db: Queryable,
  mintAddress: string,
  walletAddress: string,
): Promise<OwnedPositions | null> {
  const rows = await db<PositionRow[]>`
    select l.as_of as pool_as_of, p.id, p.staked_raw, p.pending_rewards_raw, p.claimed_rewards_raw, p.staked_at,
      p.unlocks_at, p.as_of
    from visible_tokens t
    join staking_pools l using (mint_address)
    left join staking_positions p on p.mint_address = t.mint_address and p.wallet_address = ${walletAddress}
      and (p.staked_raw > 0 or p.pending_rewards_raw > 0)
    where t.mint_address = ${mintAddress}
    order by p.staked_at, p.id`;
  const [first] = rows;
  if (first === undefined) return null;
  const { poolAsOf } = first;
  const found = rows.filter((row): row is PositionRow & { id: string } => row.id !== null);
  const asOfMs = Math.max(poolAsOf.getTime(), ...found.map(({ asOf }) => asOf.getTime()));
  return {
    asOf: new Date(asOfMs).toISOString(),
    data: found.map((row) => ({
      id: row.id,
      walletAddress,
      stakedRaw: row.stakedRaw,
      pendingRewardsRaw: row.pendingRewardsRaw,
      claimedRewardsRaw: row.claimedRewardsRaw,
      stakedAt: row.stakedAt.toISOString(),
      unlocksAt: row.unlocksAt?.toISOString() ?? null,
    })),
  };
}
