import type { Queryable } from '../../db/client.ts';

/** Time for the creator to see that the launch expired (contract/launches#unsigned). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes up to `limit` launches that expired unsigned a day ago, with their tokens. Returns their number.
 */
export async function deleteUnsignedLaunches(db: Queryable, now: Date, limit: number): Promise<number> {
  const cutoff = new Date(now.getTime() - KEPT_MS);
  const [row] = await db<{ deleted: number }[]>`
    select delete_unsigned_launches(${cutoff}::timestamptz, ${limit}::int4) as deleted`;
  return row?.deleted ?? 0;
}
