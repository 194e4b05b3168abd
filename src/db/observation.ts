import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import { checkByAsking, type Readiness } from '../shared/readiness.ts';
import { connectDatabase, type Database } from './client.ts';
import type { DatabaseRole } from './role.ts';

export function databaseReadiness(database: Database): Readiness {
  return { name: 'postgres', required: true, check: () => checkByAsking(async () => database`select 1`) };
}

/**
 * Measures the smallest statement through the pool of the process at scrape time. postgres.js does not tell how many
 * connections are in use or waited for; a pool that is used up shows here as waiting.
 */
export function observeDatabase(metrics: ProcessMetrics, database: Database): void {
  const latency = metrics.gauge(
    'launchwire_database_probe_seconds',
    'Time of `select 1` through the pool of the process, the wait for a connection included',
  );
  metrics.addSource({
    name: 'database_probe',
    gauges: [latency],
    async load() {
      const startedAtMs = performance.now();
      await database`select 1`;
      const seconds = (performance.now() - startedAtMs) / 1000;
      return () => latency.set(seconds);
    },
  });
}

/** A scrape must never hurt: neither the pool, which it does not use, nor the server. */
const SCRAPE_STATEMENT_TIMEOUT_MS = 1_000;

/** The connection for statements that only a scrape runs. */
export function connectForScrapes(url: string, applicationName: string, role: DatabaseRole): Database {
  return connectDatabase(url, {
    applicationName: `${applicationName}-metrics`,
    connections: 1,
    role,
    statementTimeoutMs: SCRAPE_STATEMENT_TIMEOUT_MS,
  });
}
