import type { Database } from '../../db/client.ts';
import { deleteExpiredResponses } from '../../db/expired-responses.ts';
import { serviceResponses } from '../../db/idempotency-record.ts';
import { deleteUnsignedLaunches } from '../../features/launches/delete-unsigned-launches.ts';
import { deleteExpiredResults } from '../../features/operations/results/rows.ts';
import { deleteOldEntries } from '../../features/streams/log/delete-old-entries.ts';
import { eraseSecrets } from '../../features/webhooks/endpoints/erase-secrets.ts';
import { deleteOldTradeEvents } from '../../features/webhooks/events/delete-trade-events.ts';
import { deleteOldReversals } from '../../indexer/store/trade-reversals.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';

const BATCH_MAX = 1_000;
/** A batch of the stream log takes 20 ms. */
const LOG_BATCH_MAX = 10_000;
/** A launch is deleted from several tables. */
const LAUNCHES_MAX = 500;
/** A result may be hundreds of megabytes. */
const RESULTS_MAX = 5;
const IDLE_MS = 60_000;

export interface RetentionJobDependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/** Deletes and erases expired data until the signal aborts. */
export async function runRetention({ db, clock, log, signal }: RetentionJobDependencies): Promise<void> {
  await runLoop({
    name: 'retention',
    log,
    signal,
    idleMs: IDLE_MS,
    step: async () => {
      const responses = await deleteExpiredResponses(db, clock.now(), BATCH_MAX);
      const ofServices = await deleteExpiredResponses(db, clock.now(), BATCH_MAX, serviceResponses);
      const reversals = await deleteOldReversals(db, clock.now(), BATCH_MAX);
      const logged = await deleteOldEntries(db, clock.now(), LOG_BATCH_MAX);
      const trades = await deleteOldTradeEvents(db, clock.now(), BATCH_MAX);
      const secrets = await eraseSecrets(db, BATCH_MAX);
      const launches = await deleteUnsignedLaunches(db, clock.now(), LAUNCHES_MAX);
      const results = await deleteExpiredResults(db, clock.now(), RESULTS_MAX);
      return (
        Math.max(responses, ofServices, reversals, secrets) === BATCH_MAX ||
        trades >= BATCH_MAX ||
        logged === LOG_BATCH_MAX ||
        launches === LAUNCHES_MAX ||
        results === RESULTS_MAX
      );
    },
  });
}
