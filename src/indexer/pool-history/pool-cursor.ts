import { arrayText } from '../../db/array-text.ts';
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

/** A step forward. `from` is null for a pool that was never read. */
export interface CursorMove {
  poolAddress: string;
  from: PoolCursor | null;
  to: PoolCursor;
}

/**
 * Moves the cursors of different pools forward, and says for each whether it was moved. A cursor that another
 * worker has moved in the meantime stays.
 */
export async function moveCursors(db: Database, moves: readonly CursorMove[], now: Date): Promise<boolean[]> {
  const rows = await db<{ poolAddress: string }[]>`
    with moves as materialized (
      select * from unnest(${moves.map(({ poolAddress }) => poolAddress)}::text[],
        ${moves.map(({ from }) => from?.signature ?? '')}::text[],
        ${arrayText(moves.map(({ from }) => from?.slot ?? null))}::int8[],
        ${moves.map(({ to }) => to.signature)}::text[], ${arrayText(moves.map(({ to }) => to.slot))}::int8[])
        as m (pool_address, from_signature, from_slot, to_signature, to_slot)
    ), begun as (
      insert into indexer_cursors (pool_address, last_signature, last_slot, updated_at)
      select pool_address, to_signature, to_slot, ${now} from moves where from_slot is null
      on conflict do nothing returning pool_address
    ), moved as (
      update indexer_cursors c set last_signature = m.to_signature, last_slot = m.to_slot, updated_at = ${now}
      from moves m
      where c.pool_address = m.pool_address and c.last_signature = m.from_signature and c.last_slot = m.from_slot
      returning c.pool_address
    )
    select pool_address from begun union all select pool_address from moved`;
  const done = new Set(rows.map(({ poolAddress }) => poolAddress));
  return moves.map(({ poolAddress }) => done.has(poolAddress));
}
