import type { Database } from '../../db/client.ts';
import { storeOverview } from '../../features/market/overview/store-overview.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';

/** Age at which the totals are computed anew. */
const PAUSE_MS = 5_000;
/** The pause is at least this many times as long as the computation, so that it takes 5 % of a session at most. */
const REST_FACTOR = 20;
const IDLE_MS = 1_000;

export interface MarketOverviewJobDependencies {
  db: Database;
  log: Logger;
  signal: AbortSignal;
}

/** Keeps the totals of the platform until the signal aborts; of several workers one computes them at a time. */
export function runMarketOverview({ db, log, signal }: MarketOverviewJobDependencies): Promise<void> {
  let tookMs = 0;
  return runLoop({
    name: 'market-overview',
    log,
    signal,
    idleMs: IDLE_MS,
    async step() {
      const startedAtMs = performance.now();
      const isComputed = await storeOverview(db, Math.max(PAUSE_MS, tookMs * REST_FACTOR));
      if (isComputed) tookMs = performance.now() - startedAtMs;
      return false;
    },
  });
}
