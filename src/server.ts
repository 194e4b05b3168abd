import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createApiDependencies } from './deps.ts';
import { ConfigurationError } from './shared/configuration.ts';
import { createLogger } from './shared/log.ts';
import { onStopSignal, STOP_DEADLINE_MS } from './shared/process.ts';

/** Serves HTTP until SIGTERM or SIGINT, then finishes what is in flight (D19). */
async function serve(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('api', config.logLevel);
  const stop = onStopSignal();
  const api = createApiDependencies(config, log);
  const app = createApp(api.dependencies);
  app.listen({ port: config.port, hostname: config.host, reusePort: config.apiWorkers > 1, idleTimeout: 30 });
  log.info(
    { host: config.host, port: app.server?.port, environment: config.apiEnvironment },
    'api.listening',
  );
  await api.run(stop);
  log.info('api.stopping');
  const forced = setTimeout(() => app.server?.stop(true), STOP_DEADLINE_MS);
  await app.server?.stop();
  clearTimeout(forced);
  await api.close();
  log.info('api.stopped');
}

try {
  await serve();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
}
