import type { Database } from '../db/client.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

const BATCH_MAX = 1_000;
const IDLE_MS = 60_000;

export interface RetentionJob {
  db: Database;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/** Deletes what is kept for a limited time only, until the signal aborts. */
export async function runRetention({ db, clock, log, signal }: RetentionJob): Promise<void> {
  await runLoop({
    name: 'retention',
    log,
    signal,
    idleMs: IDLE_MS,
    step: async () => (await deleteExpiredIdempotencyRecords(db, clock.now(), BATCH_MAX)) === BATCH_MAX,
  });
}

/** Deletes stored responses whose 24 h are over (D12), at most `limit` at a time. Returns how many. */
export async function deleteExpiredIdempotencyRecords(
  db: Database,
  now: Date,
  limit: number,
): Promise<number> {
  const deleted = await db`
    delete from idempotency_records where (account_id, key) in (
      select account_id, key from idempotency_records where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)`;
  return deleted.count;
}
