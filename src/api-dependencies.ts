import { createChainHead } from './chain/head.ts';
import { createTokenBalanceSources } from './chain/holdings/wallet-balances.ts';
import { observeNodes } from './chain/node-trust/node-metrics.ts';
import { createCurveConfigSource } from './chain/pools/curve/config-source.ts';
import { createChainRpcs } from './chain/rpc.ts';
import { createBlockhashSource } from './chain/transactions/latest-blockhash.ts';
import { createPriorityPriceSource } from './chain/transactions/priority-price.ts';
import type { ConfigOf } from './config.ts';
import { connectDatabase, type Database } from './db/client.ts';
import { databaseLimits } from './db/limits.ts';
import { observeDatabase } from './db/observation.ts';
import type { DocumentationOptions } from './documentation/documentation.ts';
import type { FeeRouteDependencies } from './features/fees/routes.ts';
import { createKeyLookup } from './features/identity/find-key.ts';
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
import { insertLaunchToken } from './features/tokens/insert-launch.ts';
import type { TokenRouteDependencies } from './features/tokens/routes.ts';
import { createTradingCaches } from './features/trading/pool-snapshots.ts';
import type { TradingRouteDependencies } from './features/trading/routes.ts';
import { WarmSwaps } from './features/trading/warm-swaps.ts';
import { createIntentKeeper } from './features/transaction-intents/preparation/store-composed-intent.ts';
import type { IntentRouteDependencies } from './features/transaction-intents/routes.ts';
import { IntentFacts } from './features/transaction-intents/submission/accept-on-fast-path.ts';
import type { WebhookRouteDependencies } from './features/webhooks/routes.ts';
import { createAccessLog } from './http/access-log.ts';
import { ChangeWaits } from './http/change-waits.ts';
import { createCursors } from './http/cursor.ts';
import { Deadlines, WAIT_DEADLINE_MS } from './http/deadline.ts';
import { Draining } from './http/draining.ts';
import { ForwardingWatch } from './http/forwarding-watch.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createApiMetrics } from './http/metrics.ts';
import type { PublicPathDependencies } from './http/operational-paths.ts';
import { createMemoryRateLimiter } from './http/rate-limiter.ts';
import { createRedisRateLimiter } from './http/redis-rate-limiter.ts';
import type { PipelineDependencies } from './http/request-pipeline.ts';
import { createRequestTracing } from './http/request-tracing.ts';
import { createOutbox } from './outbox/append.ts';
import { createReadCaches, createReadGates, type ReadGates } from './read-caches.ts';
import { readinessChecks } from './readiness.ts';
import { parseApiKey } from './shared/api-key.ts';
import { API_PREFIX } from './shared/api-prefix.ts';
import { openHintChannel } from './shared/bus/hint-channel.ts';
import { hints } from './shared/bus/topology.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { observeLookups } from './shared/dns/lookup-metrics.ts';
import { DnsResolver } from './shared/dns/resolver.ts';
import type { Logger } from './shared/log.ts';
import { defaultRateLimits } from './shared/rate-policies.ts';
import { createSecretBox, deriveKeys, webhookPublicKey, webhookSigningKeys } from './shared/secret-box.ts';
import { observeTracing, startTracing } from './shared/tracing/start-tracing.ts';

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
    TokenRouteDependencies,
    TradingRouteDependencies,
    WebhookRouteDependencies {
  pipeline: PipelineDependencies;
  documentation: DocumentationOptions;
  draining: Draining;
  readGates: ReadGates;
  results: ResultDependencies;
  operational: PublicPathDependencies;
}

const CONNECTIONS = 12;

/** Wires the api. `run` keeps its background work going until the signal aborts; `close` ends connections. */
export function createApiDependencies(config: ConfigOf<'api'>, log: Logger, clock: Clock = systemClock) {
  const database = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-api',
    connections: CONNECTIONS,
    role: 'launchwire_api',
    limits: databaseLimits.api,
    log,
    genericPlans: true,
    indexesOnly: true,
  });
  const hintChannel = openHintChannel(config, 'launchwire-api', log);
  const rpcs = createChainRpcs(config.solanaRpcUrls);
  const chainHead = createChainHead(rpcs, clock, log);
  const secrets = createSecretBox(config.secretKey, config.secretKeyPrevious);
  const readGates = createReadGates();
  const readCaches = createReadCaches(readGates);
  const { tokenCaches, marketCaches, chainReadCaches, stakingCaches, presaleCaches, predictionCaches } =
    readCaches;
  const { metadataDocuments } = readCaches;
  const metrics = createApiMetrics();
  observeDatabase(metrics.process, database);
  observeNodes(metrics.process, rpcs);
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
  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    tradingCaches.tokens.drop(mint);
    tradingCaches.snapshots.drop(mint);
    tokenCaches.tokens.drop(mint);
    tokenCaches.lists.clear();
    marketCaches.snapshots.drop(mint);
    marketCaches.trades.drop(mint);
    marketCaches.holders.drop(mint);
    chainReadCaches.supply.drop(mint);
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

  const sharedLimiter =
    config.redisUrl === undefined
      ? undefined
      : createRedisRateLimiter({ redisUrl: config.redisUrl, redisCaFile: config.redisCaFile }, log);
  const resultLinks = createResultLinks(config.publicUrl, ...config.resultLinkKeys);
  const draining = new Draining();
  const outbox = createOutbox(
    { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl },
    clock,
    tracing,
  );
  const waits = new ChangeWaits();
  metrics.observeWaits(waits);
  hintChannel.subscribe(hints.statusChanged, (ids) => waits.wake(ids.split(',')));
  hintChannel.onGap(() => waits.wakeAll());
  draining.onBegin(() => waits.release());
  const dependencies: ApiDependencies = {
    database,
    clock,
    chainHead,
    secrets,
    intentFacts: new IntentFacts(),
    ...readCaches,
    readGates,
    rpcs,
    tradingCaches,
    quoteGate: readGates.quotes,
    swapGate: readGates.swaps,
    warmSwaps: new WarmSwaps(),
    blockhashes: createBlockhashSource({ rpcs, chainHead, clock }),
    priorityPrices: createPriorityPriceSource(rpcs),
    intentKeeper: createIntentKeeper(database, outbox, clock),
    maxComputeUnitPrice: BigInt(config.maxComputeUnitPrice),
    publicUrl: config.publicUrl,
    balanceSources: createTokenBalanceSources(config.solanaRpcUrls),
    outbox,
    cursors: createCursors(...deriveKeys(config, 'launchwire/cursor')),
    urlPolicy: { allowHttp: config.webhookAllowHttp, allowedCidrs: config.webhookAllowedCidrs },
    resolver: resolver.resolve,
    sendHints: hintChannel.send,
    launchConfig:
      config.launchCurveConfig === undefined ? null : createCurveConfigSource(rpcs, config.launchCurveConfig),
    insertLaunchToken,
    pipeline: {
      ...createPipelineDependencies(config, database, secrets, log, clock),
      limiter: metrics.countDecisions(
        sharedLimiter ?? createMemoryRateLimiter(config.apiWorkers, () => performance.now()),
      ),
      accessLog: createAccessLog(log, config),
      onOutcome: metrics.onOutcome,
      waits,
      ...(tracing === undefined ? {} : { tracing: createRequestTracing(tracing, API_PREFIX) }),
    },
    documentation: { publicUrl: config.publicUrl, docsUrl: config.docsUrl },
    draining,
    operationLinks: { docsUrl: config.docsUrl, resultUrl: resultLinks.resultUrl },
    results: { database, clock, resultLinks, log },
    operational: {
      readiness: readinessChecks({ database, hintChannel, chainHead, rpcs, clock, sharedLimiter }),
      draining,
      webhookPublicKeys: webhookSigningKeys(config).map(webhookPublicKey),
      metrics,
      hasMetricsPort: config.metricsPort !== undefined,
    },
  };
  return {
    dependencies,
    run: (signal: AbortSignal) => chainHead.run(signal),
    close: async () => {
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
): Omit<PipelineDependencies, 'limiter' | 'accessLog' | 'waits'> {
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
    deadlines: new Deadlines(log),
    waitDeadlines: new Deadlines(log, WAIT_DEADLINE_MS),
    ...(config.trustedProxyHops === 0 ? { forwardingWatch: new ForwardingWatch(log) } : {}),
  };
}
