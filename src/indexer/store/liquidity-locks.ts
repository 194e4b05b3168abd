import type { Transaction } from '../../db/client.ts';

/** The locked part of a migrated pool's liquidity (contract/ingest#locked-liquidity). */
export interface LiquidityLock {
  mintAddress: string;
  poolAddress: string;
  positionCount: number;
  permanentlyLockedBps: number;
  slot: string;
  asOf: string;
}

/** Stores newer locks than the stored ones, at most one for each token. Returns the mints that changed. */
export async function storeLiquidityLocks(
  transaction: Transaction,
  locks: readonly LiquidityLock[],
): Promise<string[]> {
  const column = <Key extends keyof LiquidityLock>(key: Key) => locks.map((lock) => lock[key]);
  const rows = await transaction<{ mintAddress: string }[]>`
    insert into liquidity_locks as l (mint_address, pool_address, position_count, permanently_locked_bps, slot, as_of)
    select * from unnest(${column('mintAddress')}::text[], ${column('poolAddress')}::text[],
      ${column('positionCount')}::int4[], ${column('permanentlyLockedBps')}::int4[], ${column('slot')}::int8[],
      ${column('asOf')}::timestamptz[])
    on conflict (mint_address) do update set pool_address = excluded.pool_address,
      position_count = excluded.position_count, permanently_locked_bps = excluded.permanently_locked_bps,
      slot = excluded.slot, as_of = excluded.as_of
    where (excluded.slot, excluded.as_of) > (l.slot, l.as_of)
    returning mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
