import type { Database } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';

const NEVER_ABORTED = new AbortController().signal;

/** How much work the worker and the relay have left: unpublished events, unfinished fan-outs and open deliveries. */
export async function openWork(sql: Database): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select ((select count(*) from webhook_deliveries where status in ('pending', 'processing', 'retrying'))
      + (select count(*) from events where published_at is null or fanned_out_at is null))::int as open`;
  if (row === undefined) throw new Error('the database counted nothing');
  return row.open;
}

/** Polls until no work is left. */
export async function untilNoOpenWork(sql: Database, pollMs: number): Promise<void> {
  while ((await openWork(sql)) > 0) await wait(pollMs, NEVER_ABORTED);
}
