import { observeNodes } from '../chain/node-trust/node-metrics.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { Database } from '../db/client.ts';
import type { DatabaseClock } from '../db/database-clock.ts';
import { observeDatabase } from '../db/observation.ts';
import { observeClock } from '../db/observe-clock.ts';
import type { BodyBudget } from '../http/bodies/body-budget.ts';
import { type ApiMetrics, createApiMetrics } from '../http/observation/metrics.ts';
import type { ChangeWaits } from '../http/waits/change-waits.ts';
import { observeLookups } from '../shared/dns/lookup-metrics.ts';
import type { DnsResolver } from '../shared/dns/resolver.ts';
import { observeTracing } from '../shared/tracing/start-tracing.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import type { ReadCaches, ReadGates } from './read-caches.ts';

export interface ApiMetricsDependencies {
  database: Database;
  clock: DatabaseClock;
  rpcs: readonly ChainRpc[];
  sendTargets: readonly SendTarget[];
  resolver: DnsResolver;
  tracing: Tracing | undefined;
  readCaches: ReadCaches;
  readGates: ReadGates;
  bodies: BodyBudget;
  waits: readonly ChangeWaits[];
}

/** Creates the metrics of the api and connects them to their sources. */
export function observeApi(dependencies: ApiMetricsDependencies): ApiMetrics {
  const { database, clock, rpcs, sendTargets, resolver, tracing, readCaches, readGates, bodies, waits } =
    dependencies;
  const metrics = createApiMetrics('api');
  observeDatabase(metrics.process, database);
  observeClock(metrics.process, clock);
  observeNodes(metrics.process, rpcs, sendTargets);
  observeLookups(metrics.process, resolver);
  if (tracing !== undefined) observeTracing(metrics.process, tracing);
  metrics.observeCaches({
    token: { ...readCaches.tokenCaches },
    market: { ...readCaches.marketCaches },
    stats: { ...readCaches.statsCaches, overview: readCaches.overviewCache },
    trader: { ...readCaches.traderCaches },
    chain_read: { ...readCaches.chainReadCaches, claimable: readCaches.claimableFees },
    staking: { ...readCaches.stakingCaches },
    presale: { ...readCaches.presaleCaches },
    prediction: { ...readCaches.predictionCaches },
    metadata: { documents: readCaches.metadataDocuments },
    launch: { configs: readCaches.launchConfigCache },
  });
  metrics.observeGates({ ...readGates, bodies });
  metrics.observeWaits(waits);
  return metrics;
}
