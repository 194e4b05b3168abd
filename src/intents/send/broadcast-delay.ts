import type { Database } from '../../db/client.ts';

/** Seconds by which the most overdue send of a submitted transaction is late; 0 when none is. */
export async function readBroadcastDelay(db: Database): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select greatest(0, extract(epoch from now() - min(next_send_at)))::float8 as seconds from intent_broadcasts`;
  return row?.seconds ?? 0;
}

/**
 * Age in seconds of the oldest open submission with a block height, which ends within minutes; 0 when there is none. A
 * nonce may stay open for years.
 */
export async function readOldestOpen(db: Database): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select greatest(0, extract(epoch from now() - b.created_at))::float8 as seconds
    from intent_broadcasts b join transaction_intents i on i.id = b.intent_id
    where i.last_valid_block_height is not null order by b.created_at limit 1`;
  return row?.seconds ?? 0;
}
