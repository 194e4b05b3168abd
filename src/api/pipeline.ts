import type { ConfigOf } from '../config/load.ts';
import type { Database } from '../db/client.ts';
import type { Reader } from '../db/look-ups.ts';
import { createKeyLookup } from '../features/identity/find-key.ts';
import type { KeyUses } from '../features/identity/record-key-uses.ts';
import { ForwardingWatch } from '../http/access/forwarding-watch.ts';
import { createIdempotency } from '../http/mutations/idempotency.ts';
import { createAccessLog } from '../http/observation/access-log.ts';
import { createRequestTracing } from '../http/observation/request-tracing.ts';
import { requestDeadlines, WAIT_DEADLINE_MS } from '../http/request-deadlines.ts';
import type { PipelineDependencies } from '../http/request-pipeline.ts';
import { parseApiKey } from '../shared/api-key.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { defaultRateLimits } from '../shared/rate-policies.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';

export interface PipelineSources {
  database: Database;
  lookUps: Reader;
  secrets: SecretBox;
  clock: Clock;
  log: Logger;
  tracing: Tracing | undefined;
  keyUses: KeyUses;
}

/** The dependencies of the pipeline that no other part of the api shares. */
export function createPipelineDependencies(
  config: ConfigOf<'api'>,
  { database, lookUps, secrets, clock, log, tracing, keyUses }: PipelineSources,
): Omit<PipelineDependencies, 'bodies' | 'limiter' | 'publicWaits' | 'waits'> {
  const scheme = new URL(config.publicUrl).protocol.slice(0, -1);
  return {
    parseKey: parseApiKey,
    keys: createKeyLookup(lookUps, {
      nowMs: () => clock.now().getTime(),
      noteUse: (keyId) => keyUses.note(keyId),
    }),
    environment: config.apiEnvironment,
    clock,
    rateLimits: { ...defaultRateLimits, ...config.rateLimits },
    trustedProxyHops: config.trustedProxyHops,
    idempotency: createIdempotency(database, secrets, clock, { lookUps }),
    docsUrl: config.docsUrl,
    log,
    accessLog: createAccessLog(log, config),
    deadlines: requestDeadlines(log),
    waitDeadlines: requestDeadlines(log, WAIT_DEADLINE_MS),
    ...(tracing === undefined ? {} : { tracing: createRequestTracing(tracing, API_PREFIX, scheme) }),
    ...(config.trustedProxyHops === 0 ? { forwardingWatch: new ForwardingWatch(log) } : {}),
  };
}
