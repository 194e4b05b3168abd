import type { Queryable } from '../../../db/client.ts';

/** A cursor is good for at least 15 minutes (contract/streams#retention); some more, for clocks and slow clients. */
const KEPT_MS = 20 * 60 * 1000;
/** Some 150 bytes each: what bounds the log in bytes, 1,600 changes a second for 20 minutes. */
const KEPT_ENTRIES = 2_000_000;

/** Deletes the oldest entries that nobody may ask for any more, and who has not followed for long. Returns how many entries. */
export async function deleteOldEntries(db: Queryable, now: Date, limit: number): Promise<number> {
  const cutoff = new Date(now.getTime() - KEPT_MS);
  await db`delete from stream_followers where until < ${cutoff}`;
  const [row] = await db<{ deleted: number }[]>`
    select trim_stream_log(${cutoff}::timestamptz, ${KEPT_ENTRIES}::int8, ${limit}::int4) as deleted`;
  return row?.deleted ?? 0;
}
