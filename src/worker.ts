import { createChainHead } from './chain/head.ts';
import { createChainRpcs } from './chain/rpc.ts';
import { type Config, loadConfig } from './config.ts';
import { connectDatabase } from './db/client.ts';
import { policyViolation } from './features/transaction-intents/policy.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { createOutbox } from './outbox/append.ts';
import { connectBus } from './shared/bus/connect.ts';
import { ensureStreams } from './shared/bus/streams.ts';
import { systemClock } from './shared/clock.ts';
import { ConfigurationError } from './shared/configuration.ts';
import { createLogger, type Logger } from './shared/log.ts';
import { onStopSignal, STOP_DEADLINE_MS, untilReachable } from './shared/process.ts';

/** The confirmer and the chain indexer hold one each; the others take one per transaction. */
const CONNECTIONS = 14;

/** Does the background work until SIGTERM or SIGINT, then finishes what is in flight (D19). */
async function work(config: Config, log: Logger, signal: AbortSignal): Promise<void> {
  const clock = systemClock;
  const db = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-worker',
    connections: CONNECTIONS,
  });
  await untilReachable('postgres', () => db`select 1`, { log, signal });
  const connection = await untilReachable('nats', () => connectBus(config.natsUrl, 'launchwire-worker'), {
    log,
    signal,
  });
  await untilReachable('jetstream', () => ensureStreams(connection), { log, signal });
  signal.addEventListener('abort', () => {
    log.info('worker.stopping');
    setTimeout(exitUnfinished, STOP_DEADLINE_MS, log).unref();
  });
  const rpcs = createChainRpcs(config.solanaRpcUrls);
  log.info('worker.started');
  await runJobs({
    db,
    connection,
    rpcs,
    chainHead: createChainHead(rpcs, clock, log),
    outbox: createOutbox({ source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl }, clock),
    clock,
    log,
    signal,
    checkPolicy: policyViolation,
  });
  await connection.drain();
  await db.end({ timeout: 5 });
  log.info('worker.stopped');
}

function exitUnfinished(log: Logger): void {
  log.fatal('worker.not_finished_in_time');
  process.exit(1);
}

async function main(): Promise<number> {
  const config = loadConfig();
  const log = createLogger('worker', config.logLevel);
  const signal = onStopSignal();
  try {
    await work(config, log, signal);
    return 0;
  } catch (err) {
    // Told to stop while it still waited for its dependencies: nothing was in flight.
    if (signal.aborted && err === signal.reason) return 0;
    log.fatal({ err }, 'worker.died');
    return 1;
  }
}

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
}
