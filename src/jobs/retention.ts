import type { Database } from '../db/client.ts';
import { deleteExpiredResults } from '../features/operations/results/rows.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

const BATCH_MAX = 1_000;
/** A result may be hundreds of megabytes. */
const RESULTS_MAX = 5;
const IDLE_MS = 60_000;
/** As long as the ingest stream keeps messages: no copy of a reverted trade can come later. */
const REVERSALS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

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
    step: async () => {
      const responses = await deleteExpiredIdempotencyRecords(db, clock.now(), BATCH_MAX);
      const reversals = await deleteOldReversals(db, clock.now(), BATCH_MAX);
      const results = await deleteExpiredResults(db, clock.now(), RESULTS_MAX);
      return Math.max(responses, reversals) === BATCH_MAX || results === RESULTS_MAX;
    },
  });
}

/** Deletes stored responses whose 24 h are over (contract/idempotency#stored-responses), at most `limit` at a time. Returns how many. */
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

/** Deletes remembered reversals that no message of the ingest stream can meet any more. Returns how many. */
export async function deleteOldReversals(db: Database, now: Date, limit: number): Promise<number> {
  const deleted = await db`
    delete from reverted_trades where (trade_id, slot) in (
      select trade_id, slot from reverted_trades
      where reverted_at < ${new Date(now.getTime() - REVERSALS_KEPT_MS)}
      order by reverted_at limit ${limit} for update skip locked)`;
  return deleted.count;
}
