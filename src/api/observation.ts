import { observeNodes } from '../chain/node-trust/node-metrics.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { DatabaseClock } from '../db/database-clock.ts';
import type { Reader } from '../db/look-ups.ts';
import { observeDatabase } from '../db/observation.ts';
import { observeClock } from '../db/observe-clock.ts';
import type { BodyBudget } from '../http/bodies/body-budget.ts';
import type { CacheRegistry } from '../http/caches/cache-registry.ts';
import type { ReadGates } from '../http/caches/read-gates.ts';
import { type ApiMetrics, createApiMetrics } from '../http/observation/metrics.ts';
import type { ChangeWaits } from '../http/waits/change-waits.ts';
import { observeLookups } from '../shared/dns/lookup-metrics.ts';
import type { DnsResolver } from '../shared/dns/resolver.ts';
import { observeTracing } from '../shared/tracing/start-tracing.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { type ApiReplica, observeReplica } from './replica.ts';

export interface ApiMetricsDependencies {
  pools: readonly Reader[];
  clock: DatabaseClock;
  rpcs: readonly ChainRpc[];
  sendTargets: readonly SendTarget[];
  resolver: DnsResolver;
  tracing: Tracing | undefined;
  caches: CacheRegistry;
  gates: ReadGates;
  bodies: BodyBudget;
  waits: readonly ChangeWaits[];
  replica: ApiReplica | undefined;
}

/** Creates the metrics of the api and connects them to their sources. */
export function observeApi(dependencies: ApiMetricsDependencies): ApiMetrics {
  const { pools, clock, rpcs, sendTargets, resolver, tracing, caches, gates, bodies, waits, replica } =
    dependencies;
  const metrics = createApiMetrics('api');
  observeDatabase(metrics.process, ...pools);
  observeClock(metrics.process, clock);
  observeNodes(metrics.process, rpcs, sendTargets);
  observeLookups(metrics.process, resolver);
  if (tracing !== undefined) observeTracing(metrics.process, tracing);
  metrics.observeCaches(caches.all);
  metrics.observeGates({ ...gates, bodies });
  observeReplica(metrics.process, replica);
  metrics.observeWaits(waits);
  return metrics;
}
