import type { Database } from '../../db/client.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { feeProblems } from './token-fees.ts';

/** Pools whose newest check told no fees. */
export function observeFeePools(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const unreadable = metrics.gauge(
    'launchwire_fee_pools_unreadable',
    'Pools whose newest check told no fees, by why',
    ['problem'],
  );
  metrics.addSource({
    name: 'fee_pools',
    gauges: [unreadable],
    load: async () => {
      const rows = await scrapeDatabase<{ problem: string; count: number }[]>`
        select problem, count(*)::int as count from fee_pools where problem is not null group by problem`;
      return () => {
        for (const problem of feeProblems) unreadable.set(0, { problem });
        for (const { problem, count } of rows) unreadable.set(count, { problem });
      };
    },
  });
}
