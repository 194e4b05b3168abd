import { Durations } from '../../shared/metrics/durations.ts';
import {
  createProcessMetrics,
  type ProcessMetrics,
  type Tally,
} from '../../shared/metrics/process-metrics.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { observeCaches, observeGates } from '../caches/cache-metrics.ts';
import type { SerialisedCache } from '../caches/serialised-cache.ts';
import { countDecisions } from '../limits/limiter-metrics.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { OutcomeListener } from '../responses/responses.ts';
import type { ChangeWaits } from '../waits/change-waits.ts';

/** The metrics of the api. Labels are operation ids, statuses, problem codes and names from this code: bounded. */
export interface ApiMetrics extends Pick<ProcessMetrics, 'read' | 'contentType'> {
  process: ProcessMetrics;
  onOutcome: OutcomeListener;
  /** Wraps a limiter so that its decisions are counted. */
  countDecisions(limiter: RateLimiter): RateLimiter;
  /** Exposes hits and misses of caches, by name. */
  observeCaches(caches: ReadonlyMap<string, SerialisedCache>): void;
  /** Exposes the refusals of gates, by name. */
  observeGates(gates: Readonly<Record<string, { refused: number }>>): void;
  /** Exposes the number of requests that wait for a change. */
  observeWaits(waits: readonly ChangeWaits[]): void;
}

/** Upper bounds of the buckets: from a cached read to the deadline of a slow dependency. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** @param role the program: api or internal */
export function createApiMetrics(role: string): ApiMetrics {
  const metrics = createProcessMetrics(role);
  const durations = new Durations({
    name: 'launchwire_http_request_duration_seconds',
    help: 'Time from the first step of the pipeline to the response, by operation',
    label: 'operation',
    boundsMs: BOUNDS_MS,
  });
  metrics.addDurations(durations);
  // By operation, then by problem code, or by status for successes: no key is built per request.
  const tallies = new Map<string, Map<ProblemCode | number, Tally>>();
  metrics.tallies(
    'launchwire_http_requests_total',
    'Requests of the contract by operation, status and problem code (empty for successes)',
    ['operation', 'status', 'code'],
    function* () {
      for (const ofOperation of tallies.values()) yield* ofOperation.values();
    },
  );
  function addTally(id: string, status: number, problem: ProblemCode | undefined): void {
    const ofOperation = tallies.get(id) ?? new Map<ProblemCode | number, Tally>();
    const labels = { operation: id, status, code: problem ?? '' };
    tallies.set(id, ofOperation.set(problem ?? status, { labels, count: 1 }));
  }
  return {
    process: metrics,
    onOutcome({ id }, status, problem, durationMs) {
      const tally = tallies.get(id)?.get(problem ?? status);
      if (tally !== undefined) tally.count += 1;
      else addTally(id, status, problem);
      durations.observe(id, durationMs);
    },
    countDecisions: (limiter) => countDecisions(limiter, metrics),
    observeCaches: (caches) => observeCaches(metrics, caches),
    observeGates: (gates) => observeGates(metrics, gates),
    observeWaits(waits) {
      metrics.liveGauge(
        'launchwire_http_waiting_requests',
        'Requests that are held until their record changes (Prefer: wait)',
        () => waits.reduce((sum, { count }) => sum + count, 0),
      );
      metrics.tallies(
        'launchwire_http_waits_refused_total',
        'Requests that preferred to wait and were answered at once, because the maximum number was waiting',
        [],
        () => [{ labels: {}, count: waits.reduce((sum, { refused }) => sum + refused, 0) }],
      );
    },
    read: metrics.read,
    contentType: metrics.contentType,
  };
}
