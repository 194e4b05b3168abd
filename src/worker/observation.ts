import type { ChainHeadSource } from '../chain/head.ts';
import { observeNodes } from '../chain/node-trust/node-metrics.ts';
import { chainReadiness } from '../chain/readiness.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import { observeSignatureWakeUps } from '../chain/streams/signature-metrics.ts';
import type { SignatureWakeUps } from '../chain/streams/signature-wake-ups.ts';
import type { ConfigOf } from '../config/load.ts';
import type { Database } from '../db/client.ts';
import type { DatabaseClock } from '../db/database-clock.ts';
import {
  connectForScrapes,
  databaseReadiness,
  observeDatabase,
  observePartitions,
} from '../db/observation.ts';
import { clockReadiness, observeClock } from '../db/observe-clock.ts';
import { observeFollowedTrades } from '../features/market/trade-event-metrics.ts';
import { countOperationClaims } from '../features/operations/claim-metrics.ts';
import { operationKinds } from '../features/operations/worker.ts';
import {
  createOrderMetrics,
  type OrderMetrics,
  observeUnsentOrders,
} from '../features/orders/sending/metrics.ts';
import type { RankingStep } from '../features/tokens/follow-rankings.ts';
import { observeRankings } from '../features/tokens/ranking-metrics.ts';
import { observeFeePools } from '../indexer/fees/token-fees.ts';
import { type CountOutcome, countHolderSnapshots } from '../indexer/holders/count-holders.ts';
import type { AcknowledgedMessage } from '../indexer/ingest/acknowledge.ts';
import { IngestCounts } from '../indexer/ingest/metrics.ts';
import { type ChainIndexing, observeChainIndexing } from '../indexer/pool-history/indexer-metrics.ts';
import type { RequestBudget } from '../indexer/pool-history/request-budget.ts';
import { type OnUnused, unusedKinds } from '../indexer/pool-history/undecoded.ts';
import { observeSourceProofs, sourceReadiness } from '../indexer/proofs/observe-proofs.ts';
import {
  createIntentMetrics,
  type IntentMetrics,
  observeBroadcastDelay,
  observeLandingBudget,
} from '../intents/metrics.ts';
import { createSendMetrics, type SendMetrics } from '../intents/send/send-metrics.ts';
import { countPublishedEvents, observeOutboxBacklog } from '../outbox/metrics.ts';
import type { NatsConnection } from '../shared/bus/connect.ts';
import { observeConsumers } from '../shared/bus/consumer-metrics.ts';
import { busReadiness } from '../shared/bus/readiness.ts';
import { observeStreams } from '../shared/bus/stream-metrics.ts';
import type { Logger } from '../shared/log.ts';
import { LabelledCounts } from '../shared/metrics/labelled-counts.ts';
import { startMetricsServer } from '../shared/metrics/metrics-server.ts';
import { createProcessMetrics, type ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import { observeTracing } from '../shared/tracing/start-tracing.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';

export interface WorkerMetricsDependencies {
  database: Database;
  chainHead: ChainHeadSource;
  rpcs: readonly ChainRpc[];
  /** Addresses that only send. */
  sendOnly: readonly SendTarget[];
  indexing: ChainIndexing;
  landingBudget: RequestBudget;
  signatureWakeUps: SignatureWakeUps;
  clock: DatabaseClock;
  log: Logger;
  tracing: Tracing | undefined;
  /** Null before the first connection to the broker. */
  connection(): NatsConnection | null;
}

/**
 * Receives the reports of the jobs; labels are names of our own: event types, kinds, statuses, result codes.
 */
export interface WorkerMetrics extends IntentMetrics, SendMetrics {
  onPublished(types: readonly string[]): void;
  onAcknowledged(message: AcknowledgedMessage): void;
  /** Called at least every second while ingest works. */
  onIngestHeard(): void;
  onOperationClaimed(kind: string, isReclaim: boolean): void;
  onUnused: OnUnused;
  onHoldersCounted(outcome: CountOutcome): void;
  onTokensRanked(step: RankingStep): void;
  orders: OrderMetrics;
}

/**
 * Creates the metrics of the worker and, with `METRICS_PORT`, serves them before its dependencies are
 * reachable.
 */
export function observeWorker(
  config: ConfigOf<'worker'>,
  dependencies: WorkerMetricsDependencies,
): WorkerMetrics {
  const { database, chainHead, rpcs, sendOnly, indexing, signatureWakeUps } = dependencies;
  const { landingBudget, clock, log, tracing, connection } = dependencies;
  const metrics = createProcessMetrics('worker');
  const ingest = new IngestCounts(metrics, clock);
  const addresses = [...rpcs, ...sendOnly].map(({ name }) => name);
  const workerMetrics = createWorkerMetrics(metrics, ingest, addresses);
  if (tracing !== undefined) observeTracing(metrics, tracing);
  if (config.metricsPort === undefined) return workerMetrics;
  const scrapeDatabase = connectForScrapes(config, 'launchwire-worker', 'launchwire_worker');
  observeNodes(metrics, rpcs, [...rpcs, ...sendOnly]);
  observeChainIndexing(metrics, indexing);
  observeLandingBudget(metrics, landingBudget);
  observeSignatureWakeUps(metrics, signatureWakeUps);
  observeDatabase(metrics, database);
  observeClock(metrics, clock);
  observeOutboxBacklog(metrics, scrapeDatabase);
  observeBroadcastDelay(metrics, scrapeDatabase);
  observeFollowedTrades(metrics, scrapeDatabase);
  observeUnsentOrders(metrics, scrapeDatabase);
  observePartitions(metrics, scrapeDatabase);
  observeFeePools(metrics, scrapeDatabase);
  observeSourceProofs(metrics, scrapeDatabase);
  observeConsumers(metrics, connection);
  observeStreams(metrics, connection);
  const { port } = startMetricsServer({
    port: config.metricsPort,
    hostname: config.host,
    metrics,
    readiness: [
      databaseReadiness(database),
      clockReadiness(clock, true),
      busReadiness(connection),
      chainReadiness(
        { chainHead, rpcs, clock },
        'no node responds: no transaction is sent, confirmed or indexed',
      ),
      ingest.readiness,
      sourceReadiness(database),
    ],
  });
  log.info({ host: config.host, port }, 'metrics.listening');
  return workerMetrics;
}

function createWorkerMetrics(
  metrics: ProcessMetrics,
  ingest: IngestCounts,
  addresses: readonly string[],
): WorkerMetrics {
  const unused = new LabelledCounts(metrics, 'launchwire_indexer_unused_total', {
    help: 'Facts on chain that the indexer could not use, by kind and reason',
    labels: ['kind', 'reason'],
    known: unusedKinds.map((kind) => [kind, '']),
  });
  return {
    ...createIntentMetrics(metrics),
    ...createSendMetrics(metrics, addresses),
    onPublished: countPublishedEvents(metrics),
    onAcknowledged: (message) => ingest.add(message),
    onIngestHeard: () => ingest.heard(),
    onOperationClaimed: countOperationClaims(metrics, operationKinds),
    onUnused: (kind, reason) => unused.add(kind, reason),
    onHoldersCounted: countHolderSnapshots(metrics),
    onTokensRanked: observeRankings(metrics),
    orders: createOrderMetrics(metrics),
  };
}
