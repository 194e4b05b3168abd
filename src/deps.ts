import { createPublicKey } from 'node:crypto';
import { createChainHead } from './chain/head.ts';
import { createChainRpcs } from './chain/rpc.ts';
import type { Config } from './config.ts';
import { connectDatabase, type Database } from './db/client.ts';
import type { DocumentationOptions } from './documentation/documentation.ts';
import { createKeyStore } from './features/identity/key-store.ts';
import type { ManifestRouteDependencies } from './features/manifest/routes.ts';
import type { TokenRouteDependencies } from './features/tokens/routes.ts';
import type { IntentRouteDependencies } from './features/transaction-intents/routes.ts';
import type { WebhookRouteDependencies } from './features/webhooks/routes.ts';
import type { ContractOptions } from './http/contract.ts';
import { createCursors } from './http/cursor.ts';
import { createIdempotency } from './http/idempotency.ts';
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
    TokenRouteDependencies,
    WebhookRouteDependencies {
  contract: ContractOptions;
  documentation: DocumentationOptions;
  system: SystemOptions;
}

const CONNECTIONS = 12;
const TOKENS_CACHED_MAX = 50_000;
const LISTS_CACHED_MAX = 1_000;

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

  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    tokenCaches.tokens.drop(mint);
    tokenCaches.markets.drop(mint);
    tokenCaches.lists.clear();
  });
  hintChannel.onGap(() => {
    for (const cache of Object.values(tokenCaches)) cache.clear();
  });

  const dependencies: ApiDependencies = {
    database,
    clock,
    chainHead,
    secrets,
    tokenCaches,
    outbox: createOutbox({ source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl }, clock),
    cursors: createCursors(deriveKey(config.secretKey, 'launchwire/cursor')),
    urlPolicy: { allowHttp: config.webhookAllowHttp, allowedCidrs: config.webhookAllowedCidrs },
    resolver: systemResolver,
    sendHints: hintChannel.send,
    contract: createContractOptions(config, database, secrets, log, clock),
    documentation: { publicUrl: config.publicUrl, docsUrl: config.docsUrl },
    system: {
      readiness: readinessChecks({ database, hintChannel, chainHead, clock }),
      webhookPublicKeys: [webhookPublicKey(config)],
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
    markets: new SerialisedCache({ maxAgeMs: 1_000, entriesMax: TOKENS_CACHED_MAX, nowMs }),
    lists: new SerialisedCache({ maxAgeMs: 5_000, entriesMax: LISTS_CACHED_MAX, nowMs }),
  };
}

/** `whpk_` + base64 of the raw public key, as Standard Webhooks writes it. */
function webhookPublicKey({ secretKey }: Config): string {
  const { x } = createPublicKey(deriveWebhookSigningKey(secretKey)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x ?? '', 'base64url').toString('base64')}`;
}
