import type { Database } from '../../db/client.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { countFollowedTrades } from './record-trade-events.ts';

/** The gauge of followed trades that wait for their events, read at scrape time. */
export function observeFollowedTrades(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const waiting = metrics.gauge(
    'launchwire_followed_trades',
    'Trades that an endpoint follows and whose events are not recorded, counted up to 10,000',
  );
  metrics.addSource({
    name: 'followed trades',
    gauges: [waiting],
    async load() {
      const count = await countFollowedTrades(scrapeDatabase);
      return () => waiting.set(count);
    },
  });
}
