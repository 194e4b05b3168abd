import type { Database } from '../db/client.ts';

/** Counting stops here: it would read the whole backlog. */
export const BACKLOG_COUNT_MAX = 10_000;

/** Number of events that the broker has not acknowledged, and the age of the oldest in seconds (0 without any). */
export async function readOutboxBacklog(db: Database): Promise<{ count: number; oldestAgeSeconds: number }> {
  const [row] = await db<{ count: number; oldestAgeSeconds: number }[]>`
    select
      (select count(*)::int from (
        select from events where published_at is null limit ${BACKLOG_COUNT_MAX}) backlog) as count,
      coalesce((
        select greatest(0, extract(epoch from now() - created_at)) from events
        where published_at is null order by id limit 1), 0)::float8 as oldest_age_seconds`;
  if (row === undefined) throw new Error('the backlog returned no row');
  return row;
}
