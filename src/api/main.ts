import { type ConfigOf, forgetSecrets, loadConfigOf, secretsOf } from '../config/load.ts';
import { requireDatabase } from '../db/require-database.ts';
import { type RedisFault, redisFault } from '../http/limits/redis-refusal.ts';
import { socketHandlers } from '../http/streams/socket-session.ts';
import { build } from '../shared/build.ts';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { endProcess } from '../shared/end-process.ts';
import { hideProcess } from '../shared/linux-calls.ts';
import { listening } from '../shared/listen.ts';
import { watchLiveness } from '../shared/liveness.ts';
import { createLogger, type Logger } from '../shared/log.ts';
import { startMetricsServer } from '../shared/metrics/metrics-server.ts';
import { fatalErrorText, onStopSignal, STOP_DEADLINE_MS } from '../shared/process.ts';
import { publicAddressFault } from '../shared/public-addresses.ts';
import { createApp } from './app.ts';
import { type ApiDependencies, createApiDependencies } from './dependencies.ts';
import { apiProcessIndex, MISCONFIGURED, superviseApiProcesses } from './supervisor.ts';

// Kept for the redaction of messages: the environment loses them.
const secrets = secretsOf();
hideProcess();

/** The api: one process that serves, or with `API_WORKERS` above 1 a supervisor of such processes. */
async function run(): Promise<number> {
  const config = loadConfigOf('api');
  const log = createLogger('api', config.logLevel, secrets);
  log.info(build, 'api.starting');
  const stop = onStopSignal();
  if (config.apiWorkers > 1 && apiProcessIndex() === undefined) {
    const end = await superviseApiProcesses(config.apiWorkers, stop, log);
    return end === 'misconfigured' ? MISCONFIGURED : 0;
  }
  // A supervisor passes them on.
  forgetSecrets();
  await serve(config, log, stop);
  return 0;
}

/**
 * Serves HTTP until the signal, drains connections, then finishes requests in progress
 * (contract/processes#shutdown).
 */
async function serve(config: ConfigOf<'api'>, log: Logger, stop: AbortSignal): Promise<void> {
  watchLiveness(config, log);
  logSwitches(config, log);
  logUnfitAddress(config, log);
  const api = createApiDependencies(config, log);
  const { database, draining } = api.dependencies;
  // Check before listening: on a shared port a process would receive requests at once.
  await Promise.all([
    requireDatabase(database, 'launchwire_api'),
    requireLimiter(config, log),
    api.requireBusLogin(),
  ]);
  await Promise.all([api.beginClock(), api.beginSecretKey()]);
  const app = createApp(api.dependencies);
  listening('PORT', { host: config.host, port: config.port }, () =>
    app.listen({
      port: config.port,
      hostname: config.host,
      reusePort: config.apiWorkers > 1,
      idleTimeout: config.idleTimeoutSeconds,
      // The pipeline rejects bodies that are too large (413 as problem details); Bun's own limit would cut
      // them off.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      websocket: socketHandlers,
    }),
  );
  log.info(
    { host: config.host, port: app.server?.port, environment: config.apiEnvironment },
    'api.listening',
  );
  if (config.metricsPort !== undefined) serveMetrics(config, config.metricsPort, api.dependencies, log);
  await api.run(stop);
  const drainMs = config.apiDrainSeconds * 1_000;
  log.info({ drainMs }, 'api.stopping');
  const forced = setTimeout(() => app.server?.stop(true), STOP_DEADLINE_MS);
  draining.begin();
  await Bun.sleep(drainMs);
  await app.server?.stop();
  clearTimeout(forced);
  await api.close();
  log.info('api.stopped');
}

/**
 * Throws ConfigurationError when Redis refuses the login or a command of the limiter, or when its certificate
 * is not accepted: waiting does not help. For any other failure the api waits, not ready.
 */
async function requireLimiter({ redisUrl, redisCaFile }: ConfigOf<'api'>, log: Logger): Promise<void> {
  if (redisUrl === undefined) return;
  const fault = await redisFault({ redisUrl, redisCaFile });
  if (fault === null) return;
  if (fault.lies !== 'in_server') throw new ConfigurationError([limiterMistake(fault)]);
  log.warn({ dependency: 'redis', reason: fault.detail }, 'dependency.unreachable');
}

function limiterMistake({ lies, detail }: RedisFault): string {
  const way = 'or leave it out to count limits in process memory';
  if (lies === 'in_certificate')
    return `REDIS_URL names a server whose certificate is not accepted: set REDIS_CA_FILE to the file of its authority, and use a host name and a certificate that fit, ${way}`;
  return lies === 'in_login'
    ? `REDIS_URL names a user or password that Redis refuses: correct them, ${way}`
    : `REDIS_URL names a server that cannot count, ${detail}: grant the rights in ops/redis/start.sh, ${way}`;
}

/**
 * Each process has its own counters, hence its own port: processes that share `PORT` use those after the
 * first.
 */
function serveMetrics(
  { host }: ConfigOf<'api'>,
  firstPort: number,
  { operational }: ApiDependencies,
  log: Logger,
): void {
  const { port } = startMetricsServer({
    port: firstPort === 0 ? 0 : firstPort + (apiProcessIndex() ?? 0),
    hostname: host,
    ...operational,
  });
  log.info({ host, port }, 'metrics.listening');
}

/**
 * Logs openings in the webhook URL policy, which are for private deployments and tests: they must never be
 * silent (contract/url-policy#openings).
 */
function logSwitches(
  { webhookAllowHttp, webhookAllowedCidrs, webhookCaFile }: ConfigOf<'api'>,
  log: Logger,
): void {
  if (webhookAllowHttp || webhookAllowedCidrs.length > 0 || webhookCaFile !== undefined) {
    log.warn({ webhookAllowHttp, webhookAllowedCidrs, webhookCaFile }, 'webhooks.policy_opened');
  }
}

/** No refusal: a deployment whose links are of no use serves everything else. `doctor` fails for it. */
function logUnfitAddress({ apiEnvironment, publicUrl, docsUrl }: ConfigOf<'api'>, log: Logger): void {
  const reason = apiEnvironment === 'live' ? publicAddressFault({ publicUrl, docsUrl }) : null;
  if (reason !== null) log.warn({ reason }, 'api.unfit_for_live');
}

try {
  await endProcess(await run());
} catch (error) {
  const code = error instanceof ConfigurationError ? MISCONFIGURED : 1;
  await endProcess(code, fatalErrorText(error, secrets));
}
