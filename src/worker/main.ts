import { createChainHead, freshPacedSlot } from '../chain/head.ts';
import { createTokenHolderSources } from '../chain/holdings/mint-holders.ts';
import { paceBounds } from '../chain/pace/protocol.ts';
import { createSendOnlyTargets } from '../chain/rpc/send-target.ts';
import { createChainRpcs } from '../chain/rpc.ts';
import { SignatureWakeUps } from '../chain/streams/signature-wake-ups.ts';
import { socketUrls } from '../chain/streams/socket-urls.ts';
import { type ConfigOf, forgetSecrets, loadConfigOf, secretsOf } from '../config/load.ts';
import { connectDatabase, type Database } from '../db/client.ts';
import { poolConnections } from '../db/connections.ts';
import { databaseClock } from '../db/database-clock.ts';
import { DueWork } from '../db/jobs/due-work.ts';
import { runJobs } from '../db/jobs/run-jobs.ts';
import { databaseLimits } from '../db/limits.ts';
import { untilDatabaseReachable } from '../db/require-database.ts';
import { readStandbyState } from '../db/standby.ts';
import { createResultLinks } from '../features/operations/results/links.ts';
import { createChainIndexing } from '../indexer/create-chain-indexing.ts';
import { RequestBudget } from '../indexer/pool-history/request-budget.ts';
import { createOutbox } from '../outbox/append.ts';
import { makeStreams } from '../outbox/stream-upkeep.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { build } from '../shared/build.ts';
import type { NatsConnection } from '../shared/bus/connect.ts';
import { logConnection } from '../shared/bus/log-connection.ts';
import { hintSender } from '../shared/bus/send-hint.ts';
import { CLUSTER_VERSION_MIN, outdatedClusterVersion } from '../shared/bus/server-version.ts';
import { untilAllowed, untilBusReachable } from '../shared/bus/until-bus.ts';
import type { Clock } from '../shared/clock.ts';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { endProcess } from '../shared/end-process.ts';
import { hideProcess } from '../shared/linux-calls.ts';
import { watchLiveness } from '../shared/liveness.ts';
import { createLogger, type Logger } from '../shared/log.ts';
import { fatalErrorText, onStopSignal, STOP_DEADLINE_MS } from '../shared/process.ts';
import { createSecretBox } from '../shared/secret-box.ts';
import { startTracing } from '../shared/tracing/start-tracing.ts';
import { type WorkerGround, workerJobs } from './doors.ts';
import { observeWorker } from './observation.ts';

// Kept for the redaction of messages: the environment loses them.
const secrets = secretsOf();
hideProcess();

/**
 * Does the background work until SIGTERM or SIGINT, then finishes the work in progress
 * (contract/processes#shutdown).
 */
async function work(config: ConfigOf<'worker'>, log: Logger, signal: AbortSignal): Promise<void> {
  const db = connectDatabase(config, {
    applicationName: 'launchwire-worker',
    connections: poolConnections.worker,
    role: 'launchwire_worker',
    limits: databaseLimits.worker,
    log,
  });
  const clock = databaseClock(db, log);
  const chain = openChain(config, { clock, log, signal });
  let bus: NatsConnection | null = null;
  const tracing = startTracing(config, 'launchwire-worker', log);
  const metrics = observeWorker(config, {
    ...chain,
    database: db,
    clock,
    log,
    tracing,
    connection: () => bus,
  });
  await untilDatabaseReachable(db, 'launchwire_worker', { log, signal });
  await warnOfLossyStandby(db, log);
  await clock.begin();
  const connection = await untilBusReachable(config, 'launchwire-worker', { log, signal });
  bus = connection;
  warnOfOldBroker(connection, log);
  const logged = logConnection(connection, log);
  await untilAllowed('jetstream', () => makeStreams(connection), { log, signal });
  signal.addEventListener('abort', () => {
    log.info('worker.stopping');
    setTimeout(exitUnfinished, STOP_DEADLINE_MS, log).unref();
  });
  log.info('worker.started');
  const keptClock = clock.run(signal);
  const jobs = workerJobs({
    ...chain,
    db,
    connection,
    holdOutPercent: config.sendHoldOutPercent,
    outbox: createOutbox({ source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl }, clock, {
      tracing,
      sendHint: hintSender(connection),
    }),
    clock,
    decisiveClock: clock.decisive,
    log,
    operationLinks: operationLinksOf(config),
    orderBox: orderBoxOf(config, log),
    sharedKeys: config,
    holderSources: createTokenHolderSources(config.solanaNodes),
    keptDays: keptDaysOf(config),
    predictionProofWaitMs: config.predictionProofWaitSeconds * 1_000,
    metrics,
    tracing,
  });
  const dueWork = new DueWork(db, clock);
  await runJobs([dueWork.job, ...jobs], { connection, dueWork, log, signal });
  await keptClock;
  await connection.drain();
  await logged;
  await Promise.all([db.end({ timeout: 5 }), tracing?.close()]);
  log.info('worker.stopped');
}

interface ChainOptions {
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/** What reads from the chain and sends to it. */
function openChain(config: ConfigOf<'worker'>, { clock, log, signal }: ChainOptions) {
  const rpcs = createChainRpcs(config.solanaNodes, config.solanaSendAddresses.length, paceBounds(config));
  const chainHead = createChainHead(rpcs, clock, log);
  const head = () => freshPacedSlot(chainHead, clock);
  const indexing = createChainIndexing(config, { head, log, signal });
  return {
    rpcs,
    sendOnly: createSendOnlyTargets(config, rpcs.length),
    chainHead,
    indexing,
    // As much as the indexer may ask for, and apart from it: neither delays the other.
    landingBudget: new RequestBudget({ perSecond: indexing.budget.perSecond, signal }),
    signatureWakeUps: new SignatureWakeUps({ urls: socketUrls(config), head, log }),
  };
}

/** Only a warning: whoever needs the server waits for it. */
async function warnOfLossyStandby(db: Database, log: Logger): Promise<void> {
  const standby = await readStandbyState(db).catch(() => 'none');
  if (standby !== 'none' && standby !== 'synchronous') log.warn({ standby }, 'database.commits_may_be_lost');
}

function warnOfOldBroker(connection: NatsConnection, log: Logger): void {
  const version = outdatedClusterVersion(connection);
  if (version !== null) log.warn({ version, needed: CLUSTER_VERSION_MIN }, 'bus.server_too_old');
}

function keptDaysOf(config: ConfigOf<'worker'>): WorkerGround['keptDays'] {
  return {
    events: config.retentionEventsDays,
    attempts: config.retentionAttemptsDays,
    sends: config.retentionSendsDays,
    trades: config.retentionTradesDays,
  };
}

/** The same links as in the api: both have the keys. */
function operationLinksOf({
  publicUrl,
  docsUrl,
  resultLinkKeys,
}: ConfigOf<'worker'>): WorkerGround['operationLinks'] {
  const { resultUrl } = createResultLinks(publicUrl, ...resultLinkKeys);
  return { docsUrl, resultUrl };
}

function orderBoxOf({ orderKeys }: ConfigOf<'worker'>, log: Logger): WorkerGround['orderBox'] {
  const [key, ...others] = orderKeys;
  if (key !== undefined) return createSecretBox(key, others);
  log.warn('orders.not_sent_without_a_key');
  return null;
}

function exitUnfinished(log: Logger): void {
  log.fatal('worker.stop_deadline_exceeded');
  void endProcess(1);
}

async function main(): Promise<number> {
  const config = loadConfigOf('worker');
  const log = createLogger('worker', config.logLevel, secrets);
  forgetSecrets();
  log.info(build, 'worker.starting');
  const signal = onStopSignal();
  watchLiveness(config, log);
  try {
    await work(config, log, signal);
    return 0;
  } catch (err) {
    // Stopped while waiting for its dependencies: no work was in progress.
    if (signal.aborted && err === signal.reason) return 0;
    if (err instanceof ConfigurationError) throw err;
    log.fatal({ err }, 'worker.died');
    return 1;
  }
}

try {
  await endProcess(await main());
} catch (error) {
  await endProcess(1, fatalErrorText(error, secrets));
}
