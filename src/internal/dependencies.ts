import { paceBounds } from '../chain/pace/protocol.ts';
import { createChainRpcs } from '../chain/rpc.ts';
import type { ConfigOf } from '../config/load.ts';
import { connectDatabase, type Database } from '../db/client.ts';
import { poolConnections } from '../db/connections.ts';
import { databaseClock } from '../db/database-clock.ts';
import { serviceResponses } from '../db/idempotency-record.ts';
import { databaseLimits } from '../db/limits.ts';
import { databaseReadiness, observeDatabase } from '../db/observation.ts';
import { clockReadiness, observeClock } from '../db/observe-clock.ts';
import { pooledPlans } from '../db/session-settings.ts';
import type { DocumentationOptions } from '../documentation/options.ts';
import { createKeyLookup } from '../features/identity/find-key.ts';
import { findServiceKey } from '../features/identity/find-service-key.ts';
import { BodyBudget } from '../http/bodies/body-budget.ts';
import { createMemoryRateLimiter } from '../http/limits/rate-limiter.ts';
import { createIdempotency } from '../http/mutations/idempotency.ts';
import { createAccessLog } from '../http/observation/access-log.ts';
import { createApiMetrics } from '../http/observation/metrics.ts';
import { RecentOutcomes } from '../http/observation/recent-outcomes.ts';
import { createRequestTracing } from '../http/observation/request-tracing.ts';
import { Draining } from '../http/operational/draining.ts';
import type { OperationalPathDependencies } from '../http/operational/operational-paths.ts';
import { requestDeadlines } from '../http/request-deadlines.ts';
import type { PipelineDependencies } from '../http/request-pipeline.ts';
import { ChangeWaits } from '../http/waits/change-waits.ts';
import { createOutbox } from '../outbox/append.ts';
import { parseServiceKey } from '../shared/api-key.ts';
import { API_PREFIX, INTERNAL_PREFIX } from '../shared/api-prefix.ts';
import type { Logger } from '../shared/log.ts';
import { defaultRateLimits } from '../shared/rate-policies.ts';
import { observeTracing, startTracing } from '../shared/tracing/start-tracing.ts';
import type { InternalRouteDependencies } from './routes.ts';

export interface InternalDependencies extends InternalRouteDependencies {
  database: Database;
  pipeline: PipelineDependencies;
  documentation: DocumentationOptions;
  draining: Draining;
  operational: OperationalPathDependencies;
}

/** Service keys belong to their deployment and have no environment of their own: all of them get this one. */
const ENVIRONMENT = 'live';

/**
 * Wires the internal API. `beginClock` measures the time, `run` maintains it until the signal aborts, `close`
 * ends connections.
 */
export function createInternalDependencies(config: ConfigOf<'internal'>, log: Logger) {
  const database = connectDatabase(config, {
    applicationName: 'launchwire-internal',
    connections: poolConnections.internal,
    role: 'launchwire_internal',
    limits: databaseLimits.internal,
    log,
    ...pooledPlans.launchwire_internal,
  });
  const clock = databaseClock(database, log);
  const metrics = createApiMetrics('internal');
  observeDatabase(metrics.process, database);
  observeClock(metrics.process, clock);
  const tracing = startTracing(config, 'launchwire-internal', log);
  if (tracing !== undefined) observeTracing(metrics.process, tracing);
  const draining = new Draining();
  const outcomes = new RecentOutcomes();
  const dependencies: InternalDependencies = {
    database,
    clock,
    rpcs: createChainRpcs(config.solanaNodes, 0, paceBounds(config)),
    // Events and records equal those of the public API.
    outbox: createOutbox({ source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl }, clock, {
      tracing,
    }),
    // Without a key to sign links to result files it shows none.
    links: { docsUrl: config.docsUrl, resultUrl: () => null },
    pipeline: {
      parseKey: (authorization) => parseServiceKey(authorization, ENVIRONMENT),
      keys: createKeyLookup(database, {
        nowMs: () => clock.now().getTime(),
        findOne: (db, keyId) => findServiceKey(db, keyId, ENVIRONMENT),
      }),
      environment: ENVIRONMENT,
      clock,
      rateLimits: { ...defaultRateLimits, ...config.rateLimits },
      trustedProxyHops: 0,
      bodies: new BodyBudget(),
      idempotency: createIdempotency(database, null, clock, { responses: serviceResponses }),
      docsUrl: config.docsUrl,
      log,
      deadlines: requestDeadlines(log),
      // No operation of this API supports waiting.
      waits: new ChangeWaits(),
      publicWaits: new ChangeWaits(),
      waitDeadlines: requestDeadlines(log),
      limiter: metrics.countDecisions(createMemoryRateLimiter(1, () => performance.now())),
      accessLog: createAccessLog(log, { accessLog: config.accessLog, trustedProxyHops: 0 }),
      onOutcome: metrics.onOutcome,
      outcomes,
      ...(tracing === undefined ? {} : { tracing: createRequestTracing(tracing, INTERNAL_PREFIX, 'http') }),
    },
    documentation: { publicUrl: config.publicUrl, docsUrl: config.docsUrl },
    draining,
    operational: {
      readiness: [databaseReadiness(database), outcomes.readiness, clockReadiness(clock, false)],
      draining,
      metrics,
    },
  };
  return {
    dependencies,
    beginClock: () => clock.begin(),
    run: (signal: AbortSignal) => clock.run(signal),
    close: async () => {
      await Promise.all([database.end({ timeout: 5 }), tracing?.close()]);
    },
  };
}
