import type { Database } from '../../src/db/client.ts';
import { until } from '../measurement/until.ts';

/** How much work the worker and the relay have left: unpublished events, unfinished fan-outs and open deliveries. */
export async function openWork(sql: Database): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select ((select count(*) from webhook_deliveries where status in ('pending', 'processing', 'retrying'))
      + (select count(*) from events_to_publish) + (select count(*) from events_to_fan_out))::int as open`;
  if (row === undefined) throw new Error('the database counted nothing');
  return row.open;
}

/** A backlog of a long case is worked off within it. */
const WITHIN_MS = 3_600_000;

/** Polls until no work is left. */
export async function untilNoOpenWork(sql: Database, pollMs: number): Promise<void> {
  await until('no work is left', async () => (await openWork(sql)) === 0, { pollMs, withinMs: WITHIN_MS });
}
