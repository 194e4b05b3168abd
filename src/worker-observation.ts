import type { ChainHeadSource } from './chain/head.ts';
import { observeNodes } from './chain/observation.ts';
import type { ChainRpc } from './chain/rpc.ts';
import type { ConfigOf } from './config.ts';
import type { Database } from './db/client.ts';
import { connectForScrapes, databaseReadiness } from './db/observation.ts';
import { createWorkerMetrics, observeWorkerBacklogs, type WorkerMetrics } from './jobs/worker-metrics.ts';
import { chainReadiness } from './readiness.ts';
import type { NatsConnection } from './shared/bus/connect.ts';
import { busReadiness } from './shared/bus/readiness.ts';
import type { Clock } from './shared/clock.ts';
import type { Logger } from './shared/log.ts';
import { startMetricsServer } from './shared/metrics/metrics-server.ts';
import { createProcessMetrics } from './shared/metrics/process-metrics.ts';
import { observeTracing } from './shared/tracing/start-tracing.ts';
import type { Tracing } from './shared/tracing/tracing.ts';

export interface WorkerParts {
  database: Database;
  chainHead: ChainHeadSource;
  rpcs: readonly ChainRpc[];
  clock: Clock;
  log: Logger;
  tracing: Tracing | undefined;
  /** Null until the broker was reached. */
  connection(): NatsConnection | null;
}

/** Makes the metrics of the worker and, with `METRICS_PORT`, serves them, from before its dependencies are there. */
export function observeWorker(config: ConfigOf<'worker'>, parts: WorkerParts): WorkerMetrics {
  const { database, chainHead, rpcs, clock, log, tracing, connection } = parts;
  const metrics = createProcessMetrics();
  const workerMetrics = createWorkerMetrics(metrics, clock);
  if (tracing !== undefined) observeTracing(metrics, tracing);
  if (config.metricsPort === undefined) return workerMetrics;
  const scrapeDatabase = connectForScrapes(config.databaseUrl, 'launchwire-worker', 'launchwire_worker');
  observeNodes(metrics, rpcs);
  observeWorkerBacklogs(metrics, { database, scrapeDatabase, connection });
  const { port } = startMetricsServer({
    port: config.metricsPort,
    hostname: config.host,
    metrics,
    readiness: [
      databaseReadiness(database),
      busReadiness(connection),
      chainReadiness({ chainHead, rpcs, clock }, 'no node answers: nothing is sent, confirmed or indexed'),
    ],
  });
  log.info({ host: config.host, port }, 'metrics.listening');
  return workerMetrics;
}
