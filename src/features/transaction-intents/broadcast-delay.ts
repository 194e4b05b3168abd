import type { Database } from '../../db/client.ts';

/** Seconds by which the most overdue send of a submitted transaction is late; 0 when none is. */
export async function readBroadcastDelay(db: Database): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select greatest(0, extract(epoch from now() - least(
      (select min(next_send_at) from intent_broadcasts),
      (select min(protected_send_at) from intent_broadcasts))))::float8 as seconds`;
  return row?.seconds ?? 0;
}
