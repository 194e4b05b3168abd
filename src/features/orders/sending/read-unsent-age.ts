import type { Database } from '../../../db/client.ts';

/** Seconds since the oldest trigger without a send and without a refusal; 0 when there is none. */
export async function readUnsentAge(db: Database): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select coalesce(greatest(0, extract(epoch from now() - min(triggered_at))), 0)::float8 as seconds from orders
    where status = 'triggered' and intent_id is null and refusal is null`;
  return row?.seconds ?? 0;
}
