import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';
import type { OutcomeListener } from './responses.ts';

/** What the api tells Prometheus. Labels are operation ids, statuses and problem codes: a bounded set. */
export interface ApiMetrics {
  onOutcome: OutcomeListener;
  /** The exposition, as `contentType` says. */
  read(): Promise<string>;
  contentType: string;
}

interface Tally {
  labels: { operation: string; status: number; code: string };
  count: number;
}

export function createApiMetrics(): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new RequestDurations();
  const tallies = new Map<string, Tally>();
  new Counter({
    name: 'launchwire_http_requests_total',
    help: 'Requests of the contract by operation, status and problem code (empty for successes)',
    labelNames: ['operation', 'status', 'code'],
    registers: [registry],
    // Counted in a plain map per request, and handed to the library only when someone reads.
    collect() {
      this.reset();
      for (const { labels, count } of tallies.values()) this.inc(labels, count);
    },
  });
  return {
    onOutcome({ id }, status, problem, durationMs) {
      const code = problem ?? '';
      const key = `${id} ${status} ${code}`;
      const tally = tallies.get(key);
      if (tally === undefined) tallies.set(key, { labels: { operation: id, status, code }, count: 1 });
      else tally.count += 1;
      durations.observe(id, durationMs);
    },
    read: async () => `${await registry.metrics()}\n${durations.expose()}`,
    contentType: registry.contentType,
  };
}
