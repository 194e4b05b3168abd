import type { ConfigOf } from '../config/load.ts';
import { connectDatabase } from '../db/client.ts';
import { poolConnections } from '../db/connections.ts';
import { databaseClock } from '../db/database-clock.ts';
import { databaseLimits } from '../db/limits.ts';
import { clockReadiness } from '../db/observe-clock.ts';
import { SecretKeyCheck } from '../db/secret-key-check.ts';
import { requireSecretKeys } from '../db/secret-keys.ts';
import { pooledPlans } from '../db/session-settings.ts';
import { WorkerKeys } from '../db/worker-keys.ts';
import type { SiteOptions } from '../documentation/options.ts';
import type { ClaimableRouteDependencies } from '../features/fees/claimable/routes.ts';
import { WalletClaims } from '../features/fees/claimable/wallet-claims.ts';
import type { ClaimDependencies } from '../features/fees/claims/prepare-claims.ts';
import type { FeeRouteDependencies } from '../features/fees/routes.ts';
import { KeyUses } from '../features/identity/record-key-uses.ts';
import type { KeyRouteDependencies } from '../features/identity/routes.ts';
import { isImageKnown } from '../features/images/find-image.ts';
import { createImageMetrics } from '../features/images/metrics.ts';
import type { ImageRouteDependencies } from '../features/images/routes.ts';
import { ImageReader } from '../features/images/serve-image.ts';
import { openImageStore } from '../features/images/stores/open-store.ts';
import type { LaunchRouteDependencies } from '../features/launches/routes.ts';
import type { ManifestRouteDependencies } from '../features/manifest/routes.ts';
import type { OverviewRouteDependencies } from '../features/market/overview/routes.ts';
import type { MarketRouteDependencies } from '../features/market/routes.ts';
import type { StatsRouteDependencies } from '../features/market/stats/routes.ts';
import type { AudienceRouteDependencies } from '../features/operations/audience/routes.ts';
import { createResultLinks } from '../features/operations/results/links.ts';
import type { ResultDependencies } from '../features/operations/results/serve-result.ts';
import type { OperationRouteDependencies } from '../features/operations/routes.ts';
import { createNonceGates, observeNonceGates } from '../features/orders/nonce-gates.ts';
import type { OrderRouteDependencies } from '../features/orders/routes.ts';
import type { OrderSlotRouteDependencies } from '../features/orders/slots/routes.ts';
import type { PredictionRouteDependencies } from '../features/predictions/routes.ts';
import type { PresaleRouteDependencies } from '../features/presales/routes.ts';
import type { StakingRouteDependencies } from '../features/staking/routes.ts';
import { observeStreams } from '../features/streams/metrics.ts';
import type { StreamRouteDependencies } from '../features/streams/routes.ts';
import { insertLaunchToken } from '../features/tokens/insert-launch.ts';
import type { TokenRouteDependencies } from '../features/tokens/list-routes.ts';
import { createTradingCaches } from '../features/trading/pool-snapshots.ts';
import type { TradingRouteDependencies } from '../features/trading/routes.ts';
import { createWaitingPools } from '../features/trading/waiting-pools.ts';
import { WarmSwaps } from '../features/trading/warm-swaps.ts';
import type { LandingReportRouteDependencies } from '../features/transaction-intents/landing-report/routes.ts';
import type { IntentRouteDependencies } from '../features/transaction-intents/routes.ts';
import type { WebhookRouteDependencies } from '../features/webhooks/routes.ts';
import { BodyBudget } from '../http/bodies/body-budget.ts';
import { createMemoryRateLimiter } from '../http/limits/rate-limiter.ts';
import { createRedisRateLimiter } from '../http/limits/redis-rate-limiter.ts';
import { createCursors } from '../http/lists/cursor.ts';
import { RecentOutcomes } from '../http/observation/recent-outcomes.ts';
import { Draining } from '../http/operational/draining.ts';
import type { PublicPathDependencies } from '../http/operational/operational-paths.ts';
import type { PipelineDependencies } from '../http/request-pipeline.ts';
import { ChangeMarks } from '../http/waits/change-marks.ts';
import { ChangeWaits, publicWaitOptions } from '../http/waits/change-waits.ts';
import { createIntentKeeper } from '../intents/prepare/store-composed-intent.ts';
import { FirstBroadcaster } from '../intents/send/first-broadcaster.ts';
import { createSendMetrics, observeFirstSends } from '../intents/send/send-metrics.ts';
import { SendRecorder } from '../intents/send/send-recorder.ts';
import { IntentFacts } from '../intents/submit/intent-facts.ts';
import { SubmissionWriter } from '../intents/submit/submission-writer.ts';
import { createOutbox } from '../outbox/append.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { hints } from '../shared/bus/topology.ts';
import { ConfigurationError } from '../shared/configuration.ts';
import { DnsResolver } from '../shared/dns/resolver.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { defaultRateLimits } from '../shared/rate-policies.ts';
import { createSecretBox, deriveKeys, type SecretBox } from '../shared/secret-box.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { startTracing } from '../shared/tracing/start-tracing.ts';
import { WebhookSigningKeys } from '../shared/webhooks/signing-keys.ts';
import { urlPolicyOf } from '../shared/webhooks/url-policy.ts';
import { createChainAccess } from './chain-access.ts';
import { openHintChannel } from './hint-channel.ts';
import { followChanges } from './invalidation.ts';
import { observeApi } from './observation.ts';
import { createPipelineDependencies } from './pipeline.ts';
import { createReadCaches, createReadGates, type ReadGates } from './read-caches.ts';
import { readinessChecks } from './readiness.ts';
import { createApiReplica, observeReplica } from './replica.ts';
import { createRecordSources } from './stream-records.ts';
import { createStreams } from './streams.ts';

/** The dependencies of the routes; each feature declares its part. */
export interface ApiDependencies
  extends AudienceRouteDependencies,
    ClaimDependencies,
    ClaimableRouteDependencies,
    FeeRouteDependencies,
    ImageRouteDependencies,
    IntentRouteDependencies,
    KeyRouteDependencies,
    LandingReportRouteDependencies,
    LaunchRouteDependencies,
    ManifestRouteDependencies,
    MarketRouteDependencies,
    OperationRouteDependencies,
    OrderRouteDependencies,
    OrderSlotRouteDependencies,
    OverviewRouteDependencies,
    PredictionRouteDependencies,
    PresaleRouteDependencies,
    StakingRouteDependencies,
    StatsRouteDependencies,
    StreamRouteDependencies,
    TokenRouteDependencies,
    TradingRouteDependencies,
    WebhookRouteDependencies {
  pipeline: PipelineDependencies;
  documentation: SiteOptions;
  /** Every operation refuses query parameters that it does not know. */
  strictQuery: boolean;
  draining: Draining;
  readGates: ReadGates;
  results: ResultDependencies;
  keyUses: KeyUses;
  operational: PublicPathDependencies;
}

const BUS_LOGIN_TIMEOUT_MS = 5_000;

/**
 * Wires the api. `beginClock` measures the time, `beginSecretKey` compares the keys with those of other
 * processes; `run` does the background work until the signal aborts; `close` ends connections.
 */
export function createApiDependencies(config: ConfigOf<'api'>, log: Logger) {
  const database = connectDatabase(config, {
    applicationName: 'launchwire-api',
    connections: poolConnections.api,
    role: 'launchwire_api',
    limits: databaseLimits.api,
    log,
    ...pooledPlans.launchwire_api,
  });
  const clock = databaseClock(database, log);
  const hintChannel = openHintChannel(config, 'launchwire-api', log);
  const chain = createChainAccess(config, clock, log);
  const { rpcs, chainHead } = chain.sources;
  const secretKeyCheck = new SecretKeyCheck(() => requireSecretKeys(database, config, 'seal'), log);
  const secrets = secretKeyCheck.guard(createSecretBox(config.secretKey, config.secretKeyPrevious));
  const orderBox = secretKeyCheck.guard(orderBoxOf(config));
  const workerKeys = new WorkerKeys(database, config, log);
  const signingKeys = new WebhookSigningKeys(config, config.webhookSharedKeyUntil);
  const resolver = new DnsResolver({ servers: config.webhookDnsServers });
  const tracing = startTracing(config, 'launchwire-api', log);
  const readGates = createReadGates();
  const bodies = new BodyBudget();
  const replica = createApiReplica(config, database, log);
  const readCaches = createReadCaches(readGates, replica?.reads);
  const waits = new ChangeWaits();
  const publicWaits = new ChangeWaits(publicWaitOptions);
  const metrics = observeApi({
    database,
    clock,
    rpcs,
    sendTargets: chain.sendTargets,
    resolver,
    tracing,
    readCaches,
    readGates,
    bodies,
    waits: [waits, publicWaits],
  });
  observeReplica(metrics.process, replica);
  const nonceGates = createNonceGates(config.nonceGates, chain.features);
  observeNonceGates(metrics.process, nonceGates);

  const tradingCaches = createTradingCaches(chainHead);
  const marketChanges = new ChangeMarks();
  followChanges(hintChannel, { readCaches, tradingCaches, marketChanges, waits, publicWaits });

  const { redisUrl, redisCaFile } = config;
  const sharedLimiter =
    redisUrl === undefined ? undefined : createRedisRateLimiter({ redisUrl, redisCaFile }, log);
  const resultLinks = createResultLinks(config.publicUrl, ...config.resultLinkKeys);
  const draining = new Draining();
  for (const held of [waits, publicWaits]) draining.onBegin(() => held.release());
  const keyUses = new KeyUses(database);
  const outcomes = new RecentOutcomes();
  const outbox = createOutbox(
    { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl },
    clock,
    { tracing, sendHint: hintChannel.send },
  );
  const sends = createSendMetrics(
    metrics.process,
    chain.sendTargets.map(({ name }) => name),
  );
  const firstBroadcaster = new FirstBroadcaster({
    database,
    targets: chain.sendTargets,
    holdOutPercent: config.sendHoldOutPercent,
    pace: chainHead.pace,
    recorder: new SendRecorder({ database, clock, log, chainHead }),
    clock,
    log,
    tracing,
    onSend: sends.onFirstSend,
    onResponse: sends.onSendResult,
    onLeft: sends.onLeft,
    onDue: () => hintChannel.send(hints.broadcast),
  });
  observeFirstSends(metrics.process, firstBroadcaster);
  const operationLinks = { docsUrl: config.docsUrl, resultUrl: resultLinks.resultUrl };
  const recordSources = createRecordSources(database, operationLinks, clock);
  const streams = createStreams(config, { database, sources: recordSources, log, clock, keyUses });
  for (const hint of [hints.outbox, hints.tokenChanged, hints.presaleChanged, hints.roundChanged] as const)
    hintChannel.subscribe(hint, () => streams.follower.wake());
  observeStreams(metrics.process, streams);
  draining.onBegin(() => streams.drain());
  const intentFacts = new IntentFacts();
  const imageStore = openImageStore(config);
  const imageMetrics = createImageMetrics(metrics.process);
  const dependencies: ApiDependencies = {
    ...chain.sources,
    ...readCaches,
    streams,
    recordSources,
    database,
    clock,
    secrets,
    orderBox,
    nonceGates,
    workerKeys,
    intentFacts,
    submissionWriter: new SubmissionWriter(database),
    firstBroadcaster,
    marketChanges,
    readGates,
    tradingCaches,
    quoteGate: readGates.quotes,
    swapGate: readGates.swaps,
    reportGate: readGates.reports,
    warmSwaps: new WarmSwaps(),
    waitingPools: createWaitingPools({
      ...chain.sources,
      database,
      clock,
      tradingCaches,
      quoteGate: readGates.quotes,
      swapGate: readGates.swaps,
    }),
    walletClaims: new WalletClaims({ database, clock, ...chain.sources }),
    intentKeeper: createIntentKeeper(database, outbox, clock, intentFacts),
    publicUrl: config.publicUrl,
    outbox,
    cursors: createCursors(...deriveKeys(config, 'launchwire/cursor')),
    urlPolicy: urlPolicyOf(config),
    resolver: resolver.resolve,
    sendHints: hintChannel.send,
    keyUses,
    insertLaunchToken,
    isImageKnown: (hash) => isImageKnown(database, hash),
    log,
    imageStore,
    imageMetrics,
    imageReader: new ImageReader(imageStore, { database, gate: readGates.images, log, imageMetrics }),
    decoderGate: readGates.decoders,
    uploads: new SingleFlight(),
    pipeline: {
      ...createPipelineDependencies(config, { database, secrets, clock, log, tracing, keyUses }),
      bodies,
      limiter: metrics.countDecisions(
        sharedLimiter ?? createMemoryRateLimiter(config.apiWorkers, () => performance.now()),
      ),
      onOutcome: metrics.onOutcome,
      outcomes,
      waits,
      publicWaits,
    },
    documentation: {
      publicUrl: config.publicUrl,
      docsUrl: config.docsUrl,
      rateLimits: { ...defaultRateLimits, ...config.rateLimits },
    },
    strictQuery: config.strictQuery,
    draining,
    operationLinks,
    results: { database, clock, resultLinks, log },
    signingKeys,
    operational: {
      readiness: [
        ...readinessChecks({ database, hintChannel, chainHead, rpcs, clock, sharedLimiter, outcomes }),
        clockReadiness(clock, false),
        secretKeyCheck.readiness,
        workerKeys.readiness,
      ],
      draining,
      signingKeys,
      clock,
      metrics,
    },
  };
  return {
    dependencies,
    beginClock: () => clock.begin(),
    beginSecretKey: () => secretKeyCheck.begin(),
    /**
     * Throws ConfigurationError when the broker refuses the login. It does not wait for a broker that is
     * unavailable or silent.
     */
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
        chain.run(signal),
        replica?.run(signal),
        keyUses.run(signal, log),
      ]);
    },
    /** After the last request: pending submissions are sent and recorded first. */
    close: async () => {
      await streams.stop();
      await firstBroadcaster.drain();
      // Best effort: nobody waits for it when the database is away.
      await keyUses.record().catch((err: unknown) => log.warn({ err }, 'key_uses.lost'));
      sharedLimiter?.close();
      await hintChannel.close();
      await Promise.all([database.end({ timeout: 5 }), replica?.close(), tracing?.close()]);
    },
  };
}

function orderBoxOf({ orderKeys: [key, ...earlier] }: ConfigOf<'api'>): SecretBox {
  if (key === undefined) throw new Error('an api has SECRET_KEY, from which the key of orders is derived');
  return createSecretBox(key, earlier);
}
