import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { OutcomeListener } from './responses.ts';

/** What the api tells Prometheus. Labels are operation ids, statuses and problem codes: a bounded set. */
export interface ApiMetrics {
  onOutcome: OutcomeListener;
  /** The exposition, as `contentType` says. */
  read(): Promise<string>;
  contentType: string;
}

/** From a cached read to the deadline of a slow dependency. */
const DURATION_BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function createApiMetrics(): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'launchwire_http_requests_total',
    help: 'Requests of the contract by operation, status and problem code (empty for successes)',
    labelNames: ['operation', 'status', 'code'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'launchwire_http_request_duration_seconds',
    help: 'Time from the first step of the contract to the response, by operation',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    onOutcome({ id }, status, code, durationMs) {
      requests.inc({ operation: id, status, code: code ?? '' });
      durations.observe({ operation: id }, durationMs / 1000);
    },
    read: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
