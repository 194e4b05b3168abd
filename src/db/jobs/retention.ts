import type { Clock } from '../../shared/clock.ts';
import type { Database } from '../client.ts';
import { deleteExpiredResponses } from '../expired-responses.ts';
import { serviceResponses } from '../idempotency-record.ts';
import type { StepJob, Sweep } from './job.ts';

const RESPONSES_MAX = 1_000;
const IDLE_MS = 60_000;

/** The job that deletes and erases expired data: stored responses, and what each room sweeps. */
export function retention(db: Database, clock: Clock, sweeps: readonly Sweep[]): StepJob {
  const all: readonly Sweep[] = [
    { batchMax: RESPONSES_MAX, sweep: (now, batchMax) => deleteExpiredResponses(db, now, batchMax) },
    {
      batchMax: RESPONSES_MAX,
      sweep: (now, batchMax) => deleteExpiredResponses(db, now, batchMax, serviceResponses),
    },
    ...sweeps,
  ];
  return {
    name: 'retention',
    everyMs: IDLE_MS,
    async step() {
      let isMore = false;
      for (const { sweep, batchMax } of all) {
        const count = await sweep(clock.now(), batchMax);
        if (count >= batchMax) isMore = true;
      }
      return isMore;
    },
  };
}
