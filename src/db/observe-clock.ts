import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import type { Readiness } from '../shared/readiness.ts';
import type { DatabaseClock } from './database-clock.ts';

/** Gauge of how far the machine's clock is ahead of the database's. */
export function observeClock(metrics: ProcessMetrics, clock: DatabaseClock): void {
  metrics.liveGauge(
    'launchwire_clock_skew_seconds',
    'Time of this machine minus that of Postgres; beyond 5 s either way workers stop decisions that depend on the time',
    () => (clock.skewMs === null ? null : clock.skewMs / 1_000),
  );
}

/** @param required true where work waits until the clocks agree */
export function clockReadiness(clock: DatabaseClock, required: boolean): Readiness {
  return {
    name: 'clock',
    required,
    check: async () => {
      const detail = clock.dispute();
      return detail === null ? { ready: true } : { ready: false, detail };
    },
  };
}
