import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { version } from '../package.json';
import { type Config, loadConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/client.ts';
import { connectBus } from '../src/shared/bus/connect.ts';
import { ConfigurationError } from '../src/shared/configuration.ts';
import { createLogger, type Logger } from '../src/shared/log.ts';
import { onStopSignal, STOP_DEADLINE_MS, untilReachable } from '../src/shared/process.ts';
import { createRelay } from './relay.ts';

/** Claims, results and fan-outs run beside each other; more connections gain nothing on one machine. */
const DATABASE_CONNECTIONS = 8;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('relay', config.logLevel);
  const signal = onStopSignal();
  logStart(config, log);
  const sql = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-relay',
    connections: DATABASE_CONNECTIONS,
  });
  try {
    await untilReachable('postgres', () => sql`select 1`, { log, signal });
    const connection = await untilReachable('nats', () => connectBus(config.natsUrl, 'relay'), {
      log,
      signal,
    });
    const certificateAuthorities = readAuthorities(config.webhookCaFile);
    const relay = createRelay({ config, sql, connection, log, version, ...certificateAuthorities });
    log.info('relay.ready');
    await relay.run(signal, afterStop(signal, STOP_DEADLINE_MS));
    log.info({ ...relay.counters }, 'relay.stopped');
    await connection.close();
  } catch (err) {
    if (!signal.aborted) {
      log.fatal({ err }, 'relay.died');
      process.exit(1);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
  process.exit(0);
}

function logStart(config: Config, log: Logger): void {
  log.info(
    {
      version,
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

/** The default authorities and the operator's own; nothing when there is no own one. */
function readAuthorities(path: string | undefined): { certificateAuthorities?: string[] } {
  if (path === undefined) return {};
  return { certificateAuthorities: [...rootCertificates, readFileSync(path, 'utf8')] };
}

/**
 * Aborts `ms` after `signal`. Should the process still be there a second later (a dependency that never
 * answers), it ends: what it had claimed comes back when its lease runs out.
 */
function afterStop(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => process.exit(0), ms + 1_000).unref(), {
    once: true,
  });
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), ms).unref(), { once: true });
  return controller.signal;
}

try {
  await main();
} catch (error) {
  const message = error instanceof ConfigurationError ? error.message : String(error);
  process.stderr.write(`relay: ${message}\n`);
  process.exit(1);
}
