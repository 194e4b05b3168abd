import type { Database } from '../../db/client.ts';

/** A token whose fees are to be read, and the known addresses of its fees. */
export interface DuePool {
  mintAddress: string;
  poolAddress: string;
  /** Null until the pool was read. */
  configAddress: string | null;
  ammPoolAddress: string | null;
}

export interface DueTimes {
  /** A pool with newer transactions is due when it was last read before this time. */
  changedBefore: Date;
  /** A pool whose last reading failed is due when it was before this time. */
  failedBefore: Date;
  /** Every other pool is due when it was last read before this time. */
  quietBefore: Date;
}

/**
 * Pools whose fees are to be read: first those with newer transactions, then by the time of their last
 * reading. A token with another pool than before begins again.
 */
export function listDuePools(
  db: Database,
  { changedBefore, failedBefore, quietBefore }: DueTimes,
  limit: number,
): Promise<DuePool[]> {
  return db<DuePool[]>`
    select t.mint_address, t.pool_address, p.config_address, p.amm_pool_address
    from tokens t
    left join fee_pools p on p.mint_address = t.mint_address and p.pool_address = t.pool_address
    cross join lateral (select exists (select from indexer_cursors c
      where c.pool_address in (t.pool_address, p.amm_pool_address) and c.last_slot > coalesce(p.read_slot, 0))
      as is_changed) c
    where t.pool_address is not null
      and (p.checked_at is null or p.checked_at < ${quietBefore} or (is_changed
        and p.checked_at < case when p.problem is null then ${changedBefore}::timestamptz else ${failedBefore} end))
    order by is_changed and p.problem is null desc, p.checked_at nulls first, t.ordinal
    limit ${limit}`;
}

/** The addresses of the fees from a pool and its config. The config is null when it could not be read. */
export interface LearntPool {
  mintAddress: string;
  poolAddress: string;
  configAddress: string | null;
  partnerWallet: string | null;
  creatorWallet: string | null;
  leftoverWallet: string | null;
  ammPoolAddress: string | null;
  problem: string | null;
}

/** Stores the addresses of fees. A pool becomes due at once. */
export async function storeLearntPools(
  db: Database,
  learnt: readonly LearntPool[],
  now: Date,
): Promise<void> {
  const column = <Key extends keyof LearntPool>(key: Key) => learnt.map((one) => one[key]);
  await db.begin(
    (transaction) => transaction`
      insert into fee_pools as p (mint_address, pool_address, config_address, partner_wallet, creator_wallet,
        leftover_wallet, amm_pool_address, problem, checked_at)
      select mint_address, pool_address, config_address, partner_wallet, creator_wallet, leftover_wallet,
        amm_pool_address, problem, case when problem is null then 'epoch'::timestamptz else ${now} end
      from unnest(${column('mintAddress')}::text[], ${column('poolAddress')}::text[],
        ${column('configAddress')}::text[], ${column('partnerWallet')}::text[],
        ${column('creatorWallet')}::text[], ${column('leftoverWallet')}::text[],
        ${column('ammPoolAddress')}::text[], ${column('problem')}::text[])
        as l (mint_address, pool_address, config_address, partner_wallet, creator_wallet, leftover_wallet,
          amm_pool_address, problem)
      order by mint_address
      on conflict (mint_address) do update set pool_address = excluded.pool_address,
        config_address = excluded.config_address, partner_wallet = excluded.partner_wallet,
        creator_wallet = excluded.creator_wallet, leftover_wallet = excluded.leftover_wallet,
        amm_pool_address = excluded.amm_pool_address, problem = excluded.problem, checked_at = excluded.checked_at,
        read_slot = null`,
  );
}

export interface StoredPosition {
  mintAddress: string;
  positionAddress: string;
  nftMintAddress: string;
}

export function listFeePositions(db: Database, mints: readonly string[]): Promise<StoredPosition[]> {
  return db<StoredPosition[]>`
    select mint_address, position_address, nft_mint_address from fee_positions
    where mint_address = any(${mints as string[]}) order by position_address`;
}
