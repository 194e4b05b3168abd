import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import type { RateLimit } from '../../shared/rate-policies.ts';
import { describeDecision, type RateDecision } from './gcra.ts';
import { countInRedis, type SendCommand, scriptRefusal } from './limiter-script.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { connectRedis, type RedisAccess } from './redis-connection.ts';
import { loginRefusal, redisRefusals } from './redis-refusal.ts';

/**
 * A server that does not respond within this time counts as unreachable: requests fail closed, quickly
 * (contract/rate-limits#fail-closed).
 */
const DEADLINE_MS = 250;

/** A limiter that counts on a shared server. */
export interface SharedRateLimiter extends RateLimiter {
  /** Resolves to null when the server counts, else to a sentence with the reason. */
  ask(): Promise<string | null>;
  close(): void;
}

/**
 * Keeps the limits in a shared server that speaks the Redis protocol: one round trip each. Throws
 * `rate_limit_unavailable` when the server does not respond.
 */
export function createRedisRateLimiter(access: RedisAccess, log: Logger): SharedRateLimiter {
  const client = connectRedis(access, log);
  const send: SendCommand = (command, args) => withDeadline(client.send(command, args));

  async function evaluate(key: string, limit: RateLimit, tokens: number): Promise<RateDecision> {
    try {
      const { isAllowed, aheadMs } = await countInRedis(send, key, limit, tokens);
      return describeDecision(isAllowed, aheadMs, limit.limit, limit.windowSeconds * 1000, tokens);
    } catch (error) {
      throw new Problem('rate_limit_unavailable', { cause: error });
    }
  }

  return {
    take: (bucket, subject, limit, cost = 1) => evaluate(`${bucket}:${subject}`, limit, cost),
    giveBack: async (bucket, subject, limit) => {
      await evaluate(`${bucket}:${subject}`, limit, -1);
    },
    async ask() {
      try {
        return (await scriptRefusal(send))?.detail ?? null;
      } catch {
        const refusal = await loginRefusal(access);
        return refusal === null ? 'the connection to it was lost' : redisRefusals[refusal];
      }
    },
    close: () => client.close(),
  };
}

function withDeadline<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
