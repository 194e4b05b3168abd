import type { Database } from '../../db/client.ts';
import type { Landing } from './final-landings.ts';

/** The newest transaction of a pool's batch. It represents the batch, which one node listed at one time. */
export interface BatchEnd extends Landing {
  poolAddress: string;
}

/** A batch that is in the database, and when its trades were removed, if they were. */
export interface RecordedBatch extends BatchEnd {
  takenBackAt: Date | null;
}

/** After a takeover by a release that records no batches, what it read in the last minutes may not be final yet. */
const RECENT_MINUTES = 10;

/** The batches that are not final yet, oldest first, and the newest batch of each pool that was read recently. */
export async function loadUnfinalBatches(db: Database, limit: number): Promise<RecordedBatch[]> {
  return db<RecordedBatch[]>`
    select pool_address, signature, slot, taken_back_at from (
      select pool_address, signature, slot, taken_back_at, noted_at from unfinal_batches
      union all
      select pool_address, last_signature, last_slot, null, updated_at from indexer_cursors
      where updated_at > now() - ${RECENT_MINUTES} * interval '1 minute'
    ) batches order by noted_at limit ${limit}`;
}

export async function insertUnfinalBatches(db: Database, ends: readonly BatchEnd[]): Promise<void> {
  await db`
    insert into unfinal_batches (pool_address, signature, slot, noted_at)
    select *, clock_timestamp() from ${unnestEnds(db, ends)} on conflict do nothing`;
}

export async function deleteUnfinalBatches(db: Database, ends: readonly BatchEnd[]): Promise<void> {
  await db`
    delete from unfinal_batches b using ${unnestEnds(db, ends)}
    where (b.pool_address, b.signature, b.slot) = (e.pool_address, e.signature, e.slot)`;
}

/** Records that the trades of these batches were removed. A batch of another release's cursor has no row yet. */
export async function markTakenBack(db: Database, end: BatchEnd, at: Date): Promise<void> {
  await db`
    insert into unfinal_batches (pool_address, signature, slot, noted_at, taken_back_at)
    values (${end.poolAddress}, ${end.signature}, ${end.slot}, ${at}, ${at})
    on conflict (pool_address, signature, slot) do update set taken_back_at = excluded.taken_back_at`;
}

function unnestEnds(sql: Database, ends: readonly BatchEnd[]) {
  return sql`unnest(${ends.map(({ poolAddress }) => poolAddress)}::text[],
    ${ends.map(({ signature }) => signature)}::text[], ${ends.map(({ slot }) => slot.toString())}::bigint[])
    e (pool_address, signature, slot)`;
}
