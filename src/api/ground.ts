import type { ConfigOf } from '../config/load.ts';
import { connectApiPools } from '../db/api-pools.ts';
import { databaseClock } from '../db/database-clock.ts';
import { SecretKeyCheck } from '../db/secret-key-check.ts';
import { requireSecretKeys } from '../db/secret-keys.ts';
import { WorkerKeys } from '../db/worker-keys.ts';
import { findUsableKeys } from '../features/identity/find-usable-keys.ts';
import { KeyUses } from '../features/identity/record-key-uses.ts';
import { createResultLinks } from '../features/operations/results/links.ts';
import { BodyBudget } from '../http/bodies/body-budget.ts';
import { CacheRegistry } from '../http/caches/cache-registry.ts';
import { createReadGates } from '../http/caches/read-gates.ts';
import { createCursors } from '../http/lists/cursor.ts';
import { Draining } from '../http/operational/draining.ts';
import { ChangeMarks } from '../http/waits/change-marks.ts';
import { ChangeWaits, publicWaitOptions } from '../http/waits/change-waits.ts';
import { createOutbox } from '../outbox/append.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { openHintChannel } from '../shared/bus/hint-channel.ts';
import { DnsResolver } from '../shared/dns/resolver.ts';
import type { Logger } from '../shared/log.ts';
import { createSecretBox, deriveKeys, type SecretBox } from '../shared/secret-box.ts';
import { startTracing } from '../shared/tracing/start-tracing.ts';
import { WebhookSigningKeys } from '../shared/webhooks/signing-keys.ts';
import { urlPolicyOf } from '../shared/webhooks/url-policy.ts';
import { createChainAccess } from './chain-access.ts';
import { followChanges } from './invalidation.ts';
import { observeApi } from './observation.ts';
import { createApiReplica } from './replica.ts';

export type ApiGround = ReturnType<typeof createGround>;

/** What the process has, of which each door takes its part. */
export function createGround(config: ConfigOf<'api'>, log: Logger) {
  const pools = connectApiPools(config, log);
  const { database, publicDatabase, lookUps } = pools;
  const clock = databaseClock(database, log);
  const hintChannel = openHintChannel(config, 'launchwire-api', log);
  const chain = createChainAccess(config, clock, log);
  const secretKeyCheck = new SecretKeyCheck(() => requireSecretKeys(database, config, 'seal'), log);
  const resolver = new DnsResolver({ servers: config.webhookDnsServers });
  const tracing = startTracing(config, 'launchwire-api', log);
  const gates = createReadGates();
  const bodies = new BodyBudget();
  const replica = createApiReplica(config, database, log);
  const caches = new CacheRegistry(gates, replica?.reads);
  const [waits, publicWaits] = [new ChangeWaits(), new ChangeWaits(publicWaitOptions)];
  const { sendTargets } = chain;
  const metrics = observeApi({
    pools: [database, publicDatabase, lookUps],
    clock,
    rpcs: chain.sources.rpcs,
    sendTargets,
    resolver,
    tracing,
    caches,
    gates,
    bodies,
    waits: [waits, publicWaits],
    replica,
  });
  const marketChanges = new ChangeMarks();
  followChanges(hintChannel, { caches, marketChanges, waits, publicWaits });
  const draining = new Draining();
  for (const held of [waits, publicWaits]) draining.onBegin(() => held.release());
  const keyUses = new KeyUses(database);
  const resultLinks = createResultLinks(config.publicUrl, ...config.resultLinkKeys);
  return {
    ...chain.sources,
    config,
    log,
    database,
    publicDatabase,
    lookUps,
    endPools: pools.end,
    clock,
    hintChannel,
    chain,
    features: chain.features,
    sendTargets,
    secretKeyCheck,
    secrets: secretKeyCheck.guard(createSecretBox(config.secretKey, config.secretKeyPrevious)),
    orderBox: secretKeyCheck.guard(orderBoxOf(config)),
    workerKeys: new WorkerKeys(database, config, log),
    signingKeys: new WebhookSigningKeys(config, config.webhookSharedKeyUntil),
    tracing,
    gates,
    bodies,
    replica,
    caches,
    waits,
    publicWaits,
    metrics,
    processMetrics: metrics.process,
    marketChanges,
    draining,
    keyUses,
    /** The keys that are still valid. An open stream uses its key all the time. */
    async usableKeys(keyIds: readonly string[]) {
      const usable = await findUsableKeys(database, keyIds, clock.now());
      for (const keyId of usable) keyUses.note(keyId);
      return usable;
    },
    outbox: createOutbox({ source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl }, clock, {
      tracing,
      sendHint: hintChannel.send,
    }),
    resultLinks,
    operationLinks: { docsUrl: config.docsUrl, resultUrl: resultLinks.resultUrl },
    publicUrl: config.publicUrl,
    cursors: createCursors(...deriveKeys(config, 'launchwire/cursor')),
    urlPolicy: urlPolicyOf(config),
    resolver: resolver.resolve,
    sendHints: hintChannel.send,
  };
}

function orderBoxOf({ orderKeys: [key, ...earlier] }: ConfigOf<'api'>): SecretBox {
  if (key === undefined) throw new Error('an api has SECRET_KEY, from which the key of orders is derived');
  return createSecretBox(key, earlier);
}
