import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import { checkByAsking, type Readiness } from '../shared/readiness.ts';
import type { DatabaseAccess } from './access.ts';
import { connectDatabase, type Database, healthOf } from './client.ts';
import { databaseFailure, databaseFailures } from './failure.ts';
import { databaseLimits } from './limits.ts';
import type { Reader } from './look-ups.ts';
import { readDefaultPartitionRows } from './partitions.ts';
import type { DatabaseRole } from './roles.ts';
import { sessionFault } from './session.ts';

/**
 * Ready while Postgres responds, accepts writes, and applies the role and the limits of the pool. Reasons
 * come from a closed list, because `/readyz` is public.
 */
export function databaseReadiness(database: Database): Readiness {
  const check = async () => {
    const fault = await sessionFault(database);
    const failure = fault?.failure ?? healthOf(database).recentFailure();
    return failure === null ? null : databaseFailures[failure];
  };
  const reasonOf = (error: unknown) => {
    const failure = databaseFailure(error);
    return failure === null ? null : databaseFailures[failure];
  };
  return { name: 'postgres', required: true, check: () => checkByAsking(check, reasonOf) };
}

/**
 * Measures the smallest statement through each pool of the process at scrape time, and shows the slowest.
 * postgres.js does not report the use of its connections; an exhausted pool shows here as waiting.
 */
export function observeDatabase(metrics: ProcessMetrics, ...pools: readonly Reader[]): void {
  const latency = metrics.gauge(
    'launchwire_database_probe_seconds',
    'Time of `select 1` through the slowest pool of the process, the wait for a connection included',
  );
  metrics.addSource({
    name: 'database_probe',
    gauges: [latency],
    async load() {
      const startedAtMs = performance.now();
      await Promise.all(pools.map((db) => db`select 1`));
      const seconds = (performance.now() - startedAtMs) / 1000;
      return () => latency.set(seconds);
    },
  });
}

/** Gauge of rows in default partitions, which should stay empty, read at scrape time. */
export function observePartitions(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const rows = metrics.gauge(
    'launchwire_default_partition_rows',
    'Rows without a partition of their own, by table, counted up to 10,000',
    ['table'],
  );
  metrics.addSource({
    name: 'default_partitions',
    gauges: [rows],
    load: async () => {
      const counts = await readDefaultPartitionRows(scrapeDatabase);
      return () => {
        for (const [table, count] of counts) rows.set(count, { table });
      };
    },
  });
}

/** Opens the connection for statements that only a scrape runs. */
export function connectForScrapes(
  access: DatabaseAccess | string,
  applicationName: string,
  role: DatabaseRole,
): Database {
  return connectDatabase(access, {
    applicationName: `${applicationName}-metrics`,
    connections: 1,
    role,
    limits: databaseLimits.scrape,
  });
}
