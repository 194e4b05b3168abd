import { createPublicKey } from 'node:crypto';
import { createChainHead } from './chain/head.ts';
import { createChainRpcs } from './chain/rpc.ts';
import { createTokenBalanceSources } from './chain/token-balances.ts';
import type { Config } from './config.ts';
import { connectDatabase, type Database } from './db/client.ts';
import type { DocumentationOptions } from './documentation/documentation.ts';
import { createKeyStore } from './features/identity/key-store.ts';
import type { ManifestRouteDependencies } from './features/manifest/routes.ts';
import type { MarketRouteDependencies } from './features/market/routes.ts';
import type { TokenRouteDependencies } from './features/tokens/routes.ts';
import { IntentFacts } from './features/transaction-intents/accept-at-once.ts';
import type { IntentRouteDependencies } from './features/transaction-intents/routes.ts';
import type { WebhookRouteDependencies } from './features/webhooks/routes.ts';
import type { ContractOptions } from './http/contract.ts';
import { createCursors } from './http/cursor.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createApiMetrics } from './http/metrics.ts';
import { createMemoryRateLimiter, type RateLimiter } from './http/rate-limiter.ts';
import { ratePolicies } from './http/rate-policies.ts';
import { createRedisRateLimiter } from './http/redis-rate-limiter.ts';
import { SerialisedCache } from './http/serialised-cache.ts';
import type { SystemOptions } from './http/system.ts';
import { createOutbox } from './outbox/append.ts';
import { readinessChecks } from './readiness.ts';
import { openHintChannel } from './shared/bus/hint-channel.ts';
import { hints } from './shared/bus/topology.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import type { Logger } from './shared/log.ts';
import { createSecretBox, deriveKey, deriveWebhookSigningKey } from './shared/secret-box.ts';
import { systemResolver } from './shared/webhooks/resolve.ts';

/** What the routes of the api need; each feature declares its part. */
export interface ApiDependencies
  extends IntentRouteDependencies,
    ManifestRouteDependencies,
    MarketRouteDependencies,
    TokenRouteDependencies,
    WebhookRouteDependencies {
  contract: ContractOptions;
  documentation: DocumentationOptions;
  system: SystemOptions;
}

const CONNECTIONS = 12;
const TOKENS_CACHED_MAX = 50_000;
const LISTS_CACHED_MAX = 1_000;
// A page of 50 trades is about 25 KB, a window of 1,000 candles about 250 KB: 50 MB each when full.
const TRADE_PAGES_CACHED_MAX = 2_000;
const CANDLE_WINDOWS_CACHED_MAX = 200;
// 500 holdings are about 150 KB, a composition about 2 KB: at most 45 and 20 MB.
const HOLDINGS_CACHED_MAX = 300;
const COMPOSITIONS_CACHED_MAX = 10_000;

/** Wires the api. `run` keeps its background work going until the signal aborts; `close` ends connections. */
export function createApiDependencies(config: Config, log: Logger, clock: Clock = systemClock) {
  const database = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-api',
    connections: CONNECTIONS,
  });
  const hintChannel = openHintChannel(config.natsUrl, 'launchwire-api', log);
  const rpcs = createChainRpcs(config.solanaRpcUrls);
  const chainHead = createChainHead(rpcs, clock, log);
  const secrets = createSecretBox(config.secretKey);
  const tokenCaches = createTokenCaches();
  const marketCaches = createMarketCaches();
  const chainReadCaches = createChainReadCaches();
  const metrics = createApiMetrics();

  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    tokenCaches.tokens.drop(mint);
    tokenCaches.lists.clear();
    marketCaches.snapshots.drop(mint);
    marketCaches.trades.drop(mint);
    marketCaches.holders.drop(mint);
    chainReadCaches.supply.drop(mint);
  });
  hintChannel.onGap(() => {
    for (const cache of [...Object.values(tokenCaches), ...Object.values(marketCaches)]) cache.clear();
  });

  const dependencies: ApiDependencies = {
    database,
    clock,
    chainHead,
    secrets,
    intentFacts: new IntentFacts(),
    tokenCaches,
    marketCaches,
    rpcs,
    balanceSources: createTokenBalanceSources(config.solanaRpcUrls),
    chainReadCaches,
    outbox: createOutbox({ source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl }, clock),
    cursors: createCursors(deriveKey(config.secretKey, 'launchwire/cursor')),
    urlPolicy: { allowHttp: config.webhookAllowHttp, allowedCidrs: config.webhookAllowedCidrs },
    resolver: systemResolver,
    sendHints: hintChannel.send,
    contract: {
      ...createContractOptions(config, database, secrets, log, clock),
      onOutcome: metrics.onOutcome,
    },
    documentation: { publicUrl: config.publicUrl, docsUrl: config.docsUrl },
    system: {
      readiness: readinessChecks({ database, hintChannel, chainHead, clock }),
      webhookPublicKeys: [webhookPublicKey(config)],
      metrics,
    },
  };
  return {
    dependencies,
    run: (signal: AbortSignal) => chainHead.run(signal),
    close: async () => {
      await hintChannel.close();
      await database.end({ timeout: 5 });
    },
  };
}

function createContractOptions(
  config: Config,
  database: Database,
  secrets: ApiDependencies['secrets'],
  log: Logger,
  clock: Clock,
): ContractOptions {
  return {
    keys: createKeyStore(database, () => clock.now().getTime()),
    environment: config.apiEnvironment,
    clock,
    limiter: createLimiter(config, log),
    rateLimits: { ...ratePolicies, ...config.rateLimits },
    trustedProxyHops: config.trustedProxyHops,
    idempotency: createIdempotency(database, secrets, clock),
    docsUrl: config.docsUrl,
    log,
  };
}

function createLimiter({ redisUrl, apiWorkers }: Config, log: Logger): RateLimiter {
  return redisUrl === undefined
    ? createMemoryRateLimiter(apiWorkers, () => performance.now())
    : createRedisRateLimiter(redisUrl, log);
}

function createTokenCaches(): ApiDependencies['tokenCaches'] {
  const nowMs = () => performance.now();
  return {
    tokens: new SerialisedCache({ maxAgeMs: 5_000, entriesMax: TOKENS_CACHED_MAX, nowMs }),
    lists: new SerialisedCache({ maxAgeMs: 5_000, entriesMax: LISTS_CACHED_MAX, nowMs }),
  };
}

/** D17: at most 2 seconds old. */
function createChainReadCaches(): ApiDependencies['chainReadCaches'] {
  const nowMs = () => performance.now();
  const cache = (entriesMax: number) => new SerialisedCache({ maxAgeMs: 2_000, entriesMax, nowMs });
  return { holdings: cache(HOLDINGS_CACHED_MAX), supply: cache(COMPOSITIONS_CACHED_MAX) };
}

function createMarketCaches(): ApiDependencies['marketCaches'] {
  const nowMs = () => performance.now();
  const cache = (entriesMax: number) => new SerialisedCache({ maxAgeMs: 1_000, entriesMax, nowMs });
  return {
    snapshots: cache(TOKENS_CACHED_MAX),
    trades: cache(TRADE_PAGES_CACHED_MAX),
    holders: cache(TOKENS_CACHED_MAX),
    candles: cache(CANDLE_WINDOWS_CACHED_MAX),
  };
}

/** `whpk_` + base64 of the raw public key, as Standard Webhooks writes it. */
function webhookPublicKey({ secretKey }: Config): string {
  const { x } = createPublicKey(deriveWebhookSigningKey(secretKey)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x ?? '', 'base64url').toString('base64')}`;
}
