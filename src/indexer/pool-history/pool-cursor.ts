import type { Database } from '../../db/client.ts';

/** The last transaction of a pool up to which all trades are in the ingest stream. */
export interface PoolCursor {
  signature: string;
  slot: bigint;
}

/** Null for a pool that was never read. */
export async function readCursor(db: Database, poolAddress: string): Promise<PoolCursor | null> {
  const [row] = await db<PoolCursor[]>`
    select last_signature as signature, last_slot as slot from indexer_cursors
    where pool_address = ${poolAddress}`;
  return row ?? null;
}

/**
 * Moves a cursor forward. Returns false and changes nothing when another worker has moved it in the meantime.
 */
export async function moveCursor(
  db: Database,
  poolAddress: string,
  from: PoolCursor | null,
  to: PoolCursor,
  now: Date,
): Promise<boolean> {
  const moved =
    from === null
      ? await db`
          insert into indexer_cursors (pool_address, last_signature, last_slot, updated_at)
          values (${poolAddress}, ${to.signature}, ${to.slot}, ${now}) on conflict do nothing`
      : await db`
          update indexer_cursors set last_signature = ${to.signature}, last_slot = ${to.slot}, updated_at = ${now}
          where pool_address = ${poolAddress} and last_signature = ${from.signature} and last_slot = ${from.slot}`;
  return moved.count === 1;
}
