import type { Database } from '../../db/client.ts';

/** Seconds by which the most overdue send of a submitted transaction is late; 0 when none is. */
export async function readBroadcastDelay(db: Database): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select greatest(0, extract(epoch from now() - next_send_at))::float8 as seconds
    from intent_broadcasts order by next_send_at limit 1`;
  return row?.seconds ?? 0;
}
