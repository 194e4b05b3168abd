import { createChainHead } from './chain/head.ts';
import { createTokenBalanceSources } from './chain/holdings/wallet-balances.ts';
import { observeNodes } from './chain/node-trust/node-metrics.ts';
import { createCurveConfigSource } from './chain/pools/curve/config-source.ts';
import { keepWarm } from './chain/rpc/keep-warm.ts';
import { createSendOnlyTargets } from './chain/rpc/send-only-targets.ts';
import { createChainRpcs } from './chain/rpc.ts';
import { createBlockhashSource } from './chain/transactions/latest-blockhash.ts';
import { createPriorityPriceSource } from './chain/transactions/priority-price.ts';
import { createTipSource } from './chain/transactions/tip.ts';
import type { ConfigOf } from './config.ts';
import { connectDatabase, type Database } from './db/client.ts';
import { poolConnections } from './db/connections.ts';
import { databaseClock } from './db/database-clock.ts';
import { databaseLimits } from './db/limits.ts';
import { observeDatabase } from './db/observation.ts';
import { clockReadiness, observeClock } from './db/observe-clock.ts';
import { SecretKeyCheck } from './db/secret-key-check.ts';
import { requireSecretKeys } from './db/secret-keys.ts';
import type { SiteOptions } from './documentation/options.ts';
import type { FeeRouteDependencies } from './features/fees/routes.ts';
import { createKeyLookup } from './features/identity/find-key.ts';
import { findUsableKeys } from './features/identity/find-usable-keys.ts';
import type { LaunchRouteDependencies } from './features/launches/routes.ts';
import type { ManifestRouteDependencies } from './features/manifest/routes.ts';
import type { MarketRouteDependencies } from './features/market/routes.ts';
import type { AudienceRouteDependencies } from './features/operations/audience/routes.ts';
import { createResultLinks } from './features/operations/results/links.ts';
import type { ResultDependencies } from './features/operations/results/serve-result.ts';
import type { OperationRouteDependencies } from './features/operations/routes.ts';
import type { PredictionRouteDependencies } from './features/predictions/routes.ts';
import type { PresaleRouteDependencies } from './features/presales/routes.ts';
import type { StakingRouteDependencies } from './features/staking/routes.ts';
import { observeStreams } from './features/streams/metrics.ts';
import type { StreamRouteDependencies } from './features/streams/routes.ts';
import { Streams } from './features/streams/streams.ts';
import { insertLaunchToken } from './features/tokens/insert-launch.ts';
import type { TokenRouteDependencies } from './features/tokens/routes.ts';
import { createTradingCaches } from './features/trading/pool-snapshots.ts';
import type { TradingRouteDependencies } from './features/trading/routes.ts';
import { WarmSwaps } from './features/trading/warm-swaps.ts';
import { FirstSender } from './features/transaction-intents/broadcast/first-sender.ts';
import {
  createSendMetrics,
  observeFirstSends,
} from './features/transaction-intents/broadcast/send-metrics.ts';
import { IntentFacts } from './features/transaction-intents/intent-facts.ts';
import { createIntentKeeper } from './features/transaction-intents/preparation/store-composed-intent.ts';
import type { IntentRouteDependencies } from './features/transaction-intents/routes.ts';
import { SubmissionWriter } from './features/transaction-intents/submission/submission-writer.ts';
import type { WebhookRouteDependencies } from './features/webhooks/routes.ts';
import { createAccessLog } from './http/access-log.ts';
import { ChangeMarks } from './http/change-marks.ts';
import { ChangeWaits, publicWaitOptions } from './http/change-waits.ts';
import { createCursors } from './http/cursor.ts';
import { Draining } from './http/draining.ts';
import { ForwardingWatch } from './http/forwarding-watch.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createApiMetrics } from './http/metrics.ts';
import type { PublicPathDependencies } from './http/operational-paths.ts';
import { createMemoryRateLimiter } from './http/rate-limiter.ts';
import { RecentOutcomes } from './http/recent-outcomes.ts';
import { createRedisRateLimiter } from './http/redis-rate-limiter.ts';
import { requestDeadlines, WAIT_DEADLINE_MS } from './http/request-deadlines.ts';
import type { PipelineDependencies } from './http/request-pipeline.ts';
import { createRequestTracing } from './http/request-tracing.ts';
import { createOutbox } from './outbox/append.ts';
import { createReadCaches, createReadGates, type ReadGates } from './read-caches.ts';
import { readinessChecks } from './readiness.ts';
import { createRecordSources } from './record-sources.ts';
import { parseApiKey } from './shared/api-key.ts';
import { API_PREFIX } from './shared/api-prefix.ts';
import { openHintChannel } from './shared/bus/hint-channel.ts';
import { hints } from './shared/bus/topology.ts';
import type { Clock } from './shared/clock.ts';
import { ConfigurationError } from './shared/configuration.ts';
import { observeLookups } from './shared/dns/lookup-metrics.ts';
import { DnsResolver } from './shared/dns/resolver.ts';
import type { Logger } from './shared/log.ts';
import { wait } from './shared/loop.ts';
import { defaultRateLimits } from './shared/rate-policies.ts';
import { createSecretBox, deriveKeys } from './shared/secret-box.ts';
import { observeTracing, startTracing } from './shared/tracing/start-tracing.ts';
import { WebhookSigningKeys } from './shared/webhooks/signing-keys.ts';
import { urlPolicyOf } from './shared/webhooks/url-policy.ts';

/** What the routes of the api need; each feature declares its part. */
export interface ApiDependencies
  extends AudienceRouteDependencies,
    FeeRouteDependencies,
    IntentRouteDependencies,
    LaunchRouteDependencies,
    ManifestRouteDependencies,
    MarketRouteDependencies,
    OperationRouteDependencies,
    PredictionRouteDependencies,
    PresaleRouteDependencies,
    StakingRouteDependencies,
    StreamRouteDependencies,
    TokenRouteDependencies,
    TradingRouteDependencies,
    WebhookRouteDependencies {
  pipeline: PipelineDependencies;
  documentation: SiteOptions;
  draining: Draining;
  readGates: ReadGates;
  results: ResultDependencies;
  operational: PublicPathDependencies;
}

/** An answer depends on the height of the chain only where a transaction is about to expire anyway. */
const HEAD_POLL_MS = 1_000;
const BUS_LOGIN_TIMEOUT_MS = 5_000;

/**
 * Wires the api. `beginClock` finds out what time it is, `beginSecretKey` whether its keys are those of the others; `run` keeps its background work going until the signal aborts; `close` ends
 * connections.
 */
export function createApiDependencies(config: ConfigOf<'api'>, log: Logger) {
  const database = connectDatabase(config, {
    applicationName: 'launchwire-api',
    connections: poolConnections.api,
    role: 'launchwire_api',
    limits: databaseLimits.api,
    log,
    genericPlans: true,
    indexesOnly: true,
  });
  const clock = databaseClock(database, log);
  const hintChannel = openHintChannel(config, 'launchwire-api', log);
  const rpcs = createChainRpcs(config.solanaRpcUrls, config.solanaSendUrls.length);
  const sendTargets = [...rpcs, ...createSendOnlyTargets(config, rpcs.length)];
  const chainHead = createChainHead(rpcs, clock, log, HEAD_POLL_MS);
  const secretKeyCheck = new SecretKeyCheck(() => requireSecretKeys(database, config, 'seal'), log);
  const secrets = secretKeyCheck.guard(createSecretBox(config.secretKey, config.secretKeyPrevious));
  const signingKeys = new WebhookSigningKeys(config, config.webhookSharedKeyUntil);
  const readGates = createReadGates();
  const readCaches = createReadCaches(readGates);
  const { tokenCaches, marketCaches, chainReadCaches, stakingCaches, presaleCaches, predictionCaches } =
    readCaches;
  const { metadataDocuments } = readCaches;
  const metrics = createApiMetrics('api');
  observeDatabase(metrics.process, database);
  observeClock(metrics.process, clock);
  observeNodes(metrics.process, rpcs, sendTargets);
  const resolver = new DnsResolver({ servers: config.webhookDnsServers });
  observeLookups(metrics.process, resolver);
  const tracing = startTracing(config, 'launchwire-api', log);
  if (tracing !== undefined) observeTracing(metrics.process, tracing);
  metrics.observeCaches({
    token: { ...tokenCaches },
    market: { ...marketCaches },
    chain_read: { ...chainReadCaches },
    staking: { ...stakingCaches },
    presale: { ...presaleCaches },
    prediction: { ...predictionCaches },
    metadata: { documents: metadataDocuments },
  });
  metrics.observeGates({ ...readGates });

  const tradingCaches = createTradingCaches(chainHead);
  const marketChanges = new ChangeMarks();
  const waits = new ChangeWaits();
  const publicWaits = new ChangeWaits(publicWaitOptions);
  metrics.observeWaits([waits, publicWaits]);
  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    tradingCaches.tokens.drop(mint);
    tradingCaches.snapshots.drop(mint);
    tokenCaches.tokens.drop(mint);
    tokenCaches.lists.clear();
    marketCaches.snapshots.drop(mint);
    marketCaches.trades.drop(mint);
    marketCaches.holders.drop(mint);
    chainReadCaches.supply.drop(mint);
    metadataDocuments.drop(mint);
    marketChanges.note(mint);
    // After everything older has been dropped.
    publicWaits.wake([mint]);
  });
  hintChannel.subscribe(hints.stakingChanged, (mint) => {
    for (const cache of Object.values(stakingCaches)) cache.drop(mint);
  });
  hintChannel.subscribe(hints.presaleChanged, (id) => {
    presaleCaches.presales.drop(id);
    presaleCaches.lists.clear();
  });
  const dropPredictionReads = () => {
    for (const cache of Object.values(predictionCaches)) cache.clear();
  };
  hintChannel.subscribe(hints.roundChanged, dropPredictionReads);
  hintChannel.onGap(dropPredictionReads);
  hintChannel.onGap(() => {
    for (const cache of [...Object.values(stakingCaches), ...Object.values(presaleCaches)]) cache.clear();
    for (const cache of [...Object.values(tokenCaches), ...Object.values(marketCaches)]) cache.clear();
    tradingCaches.tokens.clear();
  });

  const { redisUrl, redisCaFile } = config;
  const sharedLimiter =
    redisUrl === undefined ? undefined : createRedisRateLimiter({ redisUrl, redisCaFile }, log);
  const resultLinks = createResultLinks(config.publicUrl, ...config.resultLinkKeys);
  const draining = new Draining();
  const outcomes = new RecentOutcomes();
  const outbox = createOutbox(
    { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl },
    clock,
    tracing,
  );
  hintChannel.subscribe(hints.statusChanged, (ids) => waits.wake(ids.split(',')));
  for (const held of [waits, publicWaits]) {
    hintChannel.onGap(() => held.wakeAll());
    draining.onBegin(() => held.release());
  }
  const sends = createSendMetrics(metrics.process);
  const firstSender = new FirstSender({
    database,
    targets: sendTargets,
    clock,
    log,
    tracing,
    onSend: sends.onFirstSend,
    onResponse: sends.onSendResult,
    onLeft: sends.onLeft,
    onDue: () => hintChannel.send(hints.broadcast),
  });
  observeFirstSends(metrics.process, firstSender);
  const operationLinks = { docsUrl: config.docsUrl, resultUrl: resultLinks.resultUrl };
  const pipelineDependencies = createPipelineDependencies(config, database, secrets, log, clock);
  const recordSources = createRecordSources(database, operationLinks, clock);
  const streams = new Streams(
    {
      perKey: config.streamsPerKey,
      perAddress: config.streamsPerAddress,
      perNetwork: config.streamsPerNetwork,
      max: config.streamsMax,
      keyReservePercent: config.streamsKeyReservePercent,
      bufferBytes: config.streamBufferBytes,
    },
    {
      database,
      sources: recordSources,
      log,
      clock,
      usableKeys: (keyIds) => findUsableKeys(database, keyIds, clock.now()),
    },
  );
  for (const hint of [hints.outbox, hints.tokenChanged] as const)
    hintChannel.subscribe(hint, () => streams.follower.wake());
  observeStreams(metrics.process, streams);
  draining.onBegin(() => streams.drain());
  const intentFacts = new IntentFacts();
  const dependencies: ApiDependencies = {
    streams,
    recordSources,
    database,
    clock,
    chainHead,
    secrets,
    intentFacts,
    submissionWriter: new SubmissionWriter(database),
    firstSender,
    ...readCaches,
    marketChanges,
    readGates,
    rpcs,
    tradingCaches,
    quoteGate: readGates.quotes,
    swapGate: readGates.swaps,
    warmSwaps: new WarmSwaps(),
    blockhashes: createBlockhashSource({ rpcs, chainHead, clock }),
    priorityPrices: createPriorityPriceSource(rpcs),
    intentKeeper: createIntentKeeper(database, outbox, clock, intentFacts),
    maxComputeUnitPrice: BigInt(config.maxComputeUnitPrice),
    tips: createTipSource(config.tipAccounts, BigInt(config.tipLamports)),
    publicUrl: config.publicUrl,
    balanceSources: createTokenBalanceSources(config.solanaRpcUrls),
    outbox,
    cursors: createCursors(...deriveKeys(config, 'launchwire/cursor')),
    urlPolicy: urlPolicyOf(config),
    resolver: resolver.resolve,
    sendHints: hintChannel.send,
    launchConfig:
      config.launchCurveConfig === undefined ? null : createCurveConfigSource(rpcs, config.launchCurveConfig),
    insertLaunchToken,
    pipeline: {
      ...pipelineDependencies,
      limiter: metrics.countDecisions(
        sharedLimiter ?? createMemoryRateLimiter(config.apiWorkers, () => performance.now()),
      ),
      accessLog: createAccessLog(log, config),
      onOutcome: metrics.onOutcome,
      outcomes,
      waits,
      publicWaits,
      ...(tracing === undefined ? {} : { tracing: createRequestTracing(tracing, API_PREFIX) }),
    },
    documentation: {
      publicUrl: config.publicUrl,
      docsUrl: config.docsUrl,
      rateLimits: { ...defaultRateLimits, ...config.rateLimits },
    },
    draining,
    operationLinks,
    results: { database, clock, resultLinks, log },
    signingKeys,
    operational: {
      readiness: [
        ...readinessChecks({ database, hintChannel, chainHead, rpcs, clock, sharedLimiter, outcomes }),
        clockReadiness(clock, false),
        secretKeyCheck.readiness,
      ],
      draining,
      signingKeys,
      clock,
      metrics,
      hasMetricsPort: config.metricsPort !== undefined,
    },
  };
  return {
    dependencies,
    beginClock: () => clock.begin(),
    beginSecretKey: () => secretKeyCheck.begin(),
    /** Throws ConfigurationError when the broker refuses the login. One that is away, or silent, is not waited for. */
    requireBusLogin: async () => {
      const decided = new AbortController();
      const refusal = await Promise.race([
        hintChannel.loginRefusal(),
        wait(BUS_LOGIN_TIMEOUT_MS, decided.signal),
      ]);
      decided.abort();
      if (refusal instanceof ConfigurationError) throw refusal;
    },
    run: async (signal: AbortSignal) => {
      await Promise.all([
        clock.run(signal),
        secretKeyCheck.run(signal),
        chainHead.run(signal),
        keepWarm(sendTargets, { clock, log }, signal),
      ]);
    },
    /** After the last request: what was submitted is sent and recorded first. */
    close: async () => {
      await streams.stop();
      await firstSender.drain();
      sharedLimiter?.close();
      await hintChannel.close();
      await Promise.all([database.end({ timeout: 5 }), tracing?.close()]);
    },
  };
}

function createPipelineDependencies(
  config: ConfigOf<'api'>,
  database: Database,
  secrets: ApiDependencies['secrets'],
  log: Logger,
  clock: Clock,
): Omit<PipelineDependencies, 'limiter' | 'accessLog' | 'publicWaits' | 'waits'> {
  return {
    parseKey: parseApiKey,
    keys: createKeyLookup(database, () => clock.now().getTime()),
    environment: config.apiEnvironment,
    clock,
    rateLimits: { ...defaultRateLimits, ...config.rateLimits },
    trustedProxyHops: config.trustedProxyHops,
    idempotency: createIdempotency(database, secrets, clock),
    docsUrl: config.docsUrl,
    log,
    deadlines: requestDeadlines(log),
    waitDeadlines: requestDeadlines(log, WAIT_DEADLINE_MS),
    ...(config.trustedProxyHops === 0 ? { forwardingWatch: new ForwardingWatch(log) } : {}),
  };
}
