import { type ConfigOf, forgetSecrets, loadConfigOf, secretsOf } from '../config/load.ts';
import { requireDatabase } from '../db/require-database.ts';
import { build } from '../shared/build.ts';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { endProcess } from '../shared/end-process.ts';
import { hideProcess } from '../shared/linux-calls.ts';
import { listening } from '../shared/listen.ts';
import { watchLiveness } from '../shared/liveness.ts';
import { createLogger, type Logger } from '../shared/log.ts';
import { startMetricsServer } from '../shared/metrics/metrics-server.ts';
import { fatalErrorText, onStopSignal, STOP_DEADLINE_MS } from '../shared/process.ts';
import { createInternalApp } from './app.ts';
import { createInternalDependencies } from './dependencies.ts';

// Kept for the redaction of messages: the environment loses them.
const secrets = secretsOf();
hideProcess();

/**
 * Serves the internal API (contract/internal-api#listener) until the signal, then finishes requests in
 * progress: a process of its own, so that an attacker who controls the public one has no rights here
 * (decision 0030).
 */
async function serve(config: ConfigOf<'internal'>, log: Logger, stop: AbortSignal): Promise<void> {
  const { internalPort } = config;
  if (internalPort === undefined)
    throw new ConfigurationError(['INTERNAL_PORT is required to start the internal API']);
  watchLiveness(config, log);
  const internal = createInternalDependencies(config, log);
  const { database, draining, operational } = internal.dependencies;
  await requireDatabase(database, 'launchwire_internal');
  await internal.beginClock();
  const app = createInternalApp(internal.dependencies);
  listening('INTERNAL_PORT', { host: config.internalHost, port: internalPort }, () =>
    app.listen({
      port: internalPort,
      hostname: config.internalHost,
      reusePort: false,
      idleTimeout: config.idleTimeoutSeconds,
      // The pipeline rejects bodies that are too large (413 as problem details); Bun's own limit would cut them off.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    }),
  );
  log.info({ host: config.internalHost, port: app.server?.port }, 'internal.listening');
  if (config.metricsPort !== undefined) {
    const { port } = startMetricsServer({ port: config.metricsPort, hostname: config.host, ...operational });
    log.info({ host: config.host, port }, 'metrics.listening');
  }
  await internal.run(stop);
  log.info('internal.stopping');
  const forced = setTimeout(() => app.server?.stop(true), STOP_DEADLINE_MS);
  draining.begin();
  await app.server?.stop();
  clearTimeout(forced);
  await internal.close();
  log.info('internal.stopped');
}

try {
  const config = loadConfigOf('internal');
  const log = createLogger('internal', config.logLevel, secrets);
  forgetSecrets();
  log.info(build, 'internal.starting');
  await serve(config, log, onStopSignal());
  await endProcess(0);
} catch (error) {
  await endProcess(1, fatalErrorText(error, secrets));
}
