import { rootCertificates } from 'node:tls';
import { type ConfigOf, forgetSecrets, loadConfigOf, secretsOf } from '../src/config/load.ts';
import { connectDatabase, type Database } from '../src/db/client.ts';
import { poolConnections } from '../src/db/connections.ts';
import { type DatabaseClock, databaseClock } from '../src/db/database-clock.ts';
import { databaseLimits } from '../src/db/limits.ts';
import { connectForScrapes, databaseReadiness } from '../src/db/observation.ts';
import { clockReadiness, observeClock } from '../src/db/observe-clock.ts';
import { untilDatabaseReachable } from '../src/db/require-database.ts';
import { requireSecretKeys } from '../src/db/secret-keys.ts';
import { build } from '../src/shared/build.ts';
import type { NatsConnection } from '../src/shared/bus/connect.ts';
import { logConnection } from '../src/shared/bus/log-connection.ts';
import { busReadiness } from '../src/shared/bus/readiness.ts';
import { requireJetStream, untilBusReachable } from '../src/shared/bus/until-bus.ts';
import { ConfigurationError, readNamedFile } from '../src/shared/configuration-error.ts';
import { observeLookups } from '../src/shared/dns/lookup-metrics.ts';
import { DnsResolver } from '../src/shared/dns/resolver.ts';
import { endProcess } from '../src/shared/end-process.ts';
import { hideProcess } from '../src/shared/linux-calls.ts';
import { watchLiveness } from '../src/shared/liveness.ts';
import { createLogger, type Logger } from '../src/shared/log.ts';
import { startMetricsServer } from '../src/shared/metrics/metrics-server.ts';
import { createProcessMetrics, type ProcessMetrics } from '../src/shared/metrics/process-metrics.ts';
import { fatalErrorText, onStopSignal, STOP_DEADLINE_MS } from '../src/shared/process.ts';
import { observeTracing, startTracing } from '../src/shared/tracing/start-tracing.ts';
import { createRelay } from './relay.ts';
import { observeDeliveries, observeRelay } from './telemetry/metrics.ts';

// Kept for the redaction of messages, because they are removed from the environment.
const secrets = secretsOf();
hideProcess();

async function main(): Promise<void> {
  const config = loadConfigOf('relay');
  const log = createLogger('relay', config.logLevel, secrets);
  forgetSecrets();
  const signal = onStopSignal();
  logStart(config, log);
  watchLiveness(config, log);
  const sql = connectDatabase(config, {
    applicationName: 'launchwire-relay',
    connections: poolConnections.relay,
    role: 'launchwire_relay',
    limits: databaseLimits.relay,
    log,
    indexesOnly: true,
  });
  const clock = databaseClock(sql, log);
  const tracing = startTracing(config, 'launchwire-relay', log);
  let connection: NatsConnection | null = null;
  try {
    const metrics = observe(config, { database: sql, clock, connection: () => connection }, log);
    if (tracing !== undefined) observeTracing(metrics, tracing);
    await untilDatabaseReachable(sql, 'launchwire_relay', { log, signal });
    await clock.begin();
    await requireSecretKeys(sql, config, 'open');
    connection = await untilBusReachable(config, 'launchwire-relay', { log, signal });
    await requireJetStream(connection);
    const logged = logConnection(connection, log);
    const certificateAuthorities = readAuthorities(config.webhookCaFile);
    const resolver = new DnsResolver({ servers: config.webhookDnsServers });
    observeLookups(metrics, resolver);
    const { resolve } = resolver;
    const parts = {
      config,
      sql,
      connection,
      log,
      version: build.version,
      tracing,
      resolve,
      clock,
      ...certificateAuthorities,
    };
    const relay = createRelay(parts);
    observeRelay(metrics, relay);
    log.info('relay.ready');
    const keptClock = clock.run(signal);
    await relay.run(signal, afterStop(signal, STOP_DEADLINE_MS));
    await keptClock;
    log.info({ ...relay.counters }, 'relay.stopped');
    await connection.close();
    await logged;
  } catch (err) {
    // Stopped while it waits for its dependencies: no work is in progress.
    if (!signal.aborted || err !== signal.reason) {
      if (err instanceof ConfigurationError) throw err;
      log.fatal({ err }, 'relay.died');
      await endProcess(1);
    }
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), tracing?.close()]);
  }
  await endProcess(0);
}

/** Serves the metrics if `METRICS_PORT` is set, before the dependencies are reachable. */
function observe(
  config: ConfigOf<'relay'>,
  {
    database,
    clock,
    connection,
  }: { database: Database; clock: DatabaseClock; connection: () => NatsConnection | null },
  log: Logger,
): ProcessMetrics {
  const metrics = createProcessMetrics('relay');
  if (config.metricsPort === undefined) return metrics;
  observeDeliveries(metrics, database, connectForScrapes(config, 'launchwire-relay', 'launchwire_relay'));
  observeClock(metrics, clock);
  const { port } = startMetricsServer({
    port: config.metricsPort,
    hostname: config.host,
    metrics,
    readiness: [databaseReadiness(database), clockReadiness(clock, false), busReadiness(connection)],
  });
  log.info({ host: config.host, port }, 'metrics.listening');
  return metrics;
}

function logStart(config: ConfigOf<'relay'>, log: Logger): void {
  log.info(
    {
      ...build,
      endpointConcurrency: config.webhookEndpointConcurrency,
      retryScheduleMs: config.webhookRetrySchedule,
    },
    'relay.starting',
  );
  const switches = {
    ...(config.webhookAllowedCidrs.length > 0 ? { allowedCidrs: config.webhookAllowedCidrs } : {}),
    ...(config.webhookAllowHttp ? { allowHttp: true } : {}),
    ...(config.webhookCaFile === undefined ? {} : { caFile: config.webhookCaFile }),
  };
  if (Object.keys(switches).length > 0) log.warn(switches, 'url_policy.widened');
}

/** The default authorities and the operator's own; nothing if `WEBHOOK_CA_FILE` is unset. */
function readAuthorities(path: string | undefined): { certificateAuthorities?: string[] } {
  if (path === undefined) return {};
  return { certificateAuthorities: [...rootCertificates, readNamedFile('WEBHOOK_CA_FILE', path)] };
}

/**
 * Aborts `ms` after `signal`. If the process still runs a second later, because a dependency never responds, the
 * process ends. The deliveries that it had claimed are due again when their lease expires.
 */
function afterStop(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(endProcess, ms + 1_000, 0).unref(), {
    once: true,
  });
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), ms).unref(), { once: true });
  return controller.signal;
}

try {
  await main();
} catch (error) {
  await endProcess(1, fatalErrorText(error, secrets));
}
