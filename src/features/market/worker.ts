import type { Database } from '../../db/client.ts';
import type { StepJob, WorkerDoor } from '../../db/jobs/job.ts';
import { Wakeup } from '../../shared/loop.ts';
import { storeOverview } from './overview/store-overview.ts';
import { isTradeEventDue, recordTradeEvents, type TradeEventsContext } from './record-trade-events.ts';

/** Age at which the totals are computed anew. */
const OVERVIEW_AGE_MS = 5_000;
/** The pause is at least this many times as long as the computation, so that it takes 5 % of a session at most. */
const REST_FACTOR = 20;
const OVERVIEW_LOOK_MS = 1_000;

export interface MarketJobDependencies extends TradeEventsContext {
  /** Woken when ingest has queued trades. */
  tradesQueued: Wakeup;
}

export const marketWorker = {
  open() {
    const tradesQueued = new Wakeup();
    return { tradesQueued, onTradesQueued: () => tradesQueued.wake() };
  },
  jobs: (dependencies: MarketJobDependencies) => [
    {
      // Records the events of followed trades.
      name: 'trade-events',
      isDue: isTradeEventDue,
      wakeup: dependencies.tradesQueued,
      step: () => recordTradeEvents(dependencies),
    },
    marketOverview(dependencies.db),
  ],
} satisfies WorkerDoor;

/** Keeps the totals of the platform; of several workers one computes them at a time. */
function marketOverview(db: Database): StepJob {
  let tookMs = 0;
  return {
    name: 'market-overview',
    everyMs: OVERVIEW_LOOK_MS,
    async step() {
      const startedAtMs = performance.now();
      const isComputed = await storeOverview(db, Math.max(OVERVIEW_AGE_MS, tookMs * REST_FACTOR));
      if (isComputed) tookMs = performance.now() - startedAtMs;
      return false;
    },
  };
}
