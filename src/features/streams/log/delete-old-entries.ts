import type { Queryable } from '../../../db/client.ts';

/**
 * A cursor is valid for at least 15 minutes (contract/streams#retention); the rest is for clock differences
 * and slow clients.
 */
const KEPT_MS = 20 * 60 * 1000;
/** About 150 bytes each. Bounds the bytes of the log: 1,600 changes a second for 20 minutes. */
const KEPT_ENTRIES = 2_000_000;

/**
 * Deletes the oldest entries that no cursor can reach any more, and followers whose time is over. Returns the
 * number of entries.
 */
export async function deleteOldEntries(db: Queryable, now: Date, limit: number): Promise<number> {
  const cutoff = new Date(now.getTime() - KEPT_MS);
  await db`delete from stream_followers where until < ${cutoff}`;
  const [row] = await db<{ deleted: number }[]>`
    select trim_stream_log(${cutoff}::timestamptz, ${KEPT_ENTRIES}::int8, ${limit}::int4) as deleted`;
  return row?.deleted ?? 0;
}
