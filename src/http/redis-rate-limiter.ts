import { createHash } from 'node:crypto';
import type { RateLimit } from '../shared/configuration-values.ts';
import type { Logger } from '../shared/log.ts';
import { Problem } from '../shared/problem.ts';
import { describeDecision, type RateDecision } from './gcra.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { connectRedis, type RedisAccess, type RedisConnection } from './redis-connection.ts';
import { redisRefusal, redisRefusals } from './redis-refusal.ts';

/** No answer within this time counts as unreachable: requests fail closed, quickly (contract/rate-limits#fail-closed). */
const DEADLINE_MS = 250;
const KEY_PREFIX = 'launchwire:rate:';

/**
 * `gcra` on the server, in microseconds of the server's own clock, so that every api process shares one budget and
 * one clock. ARGV: window, limit, how many to take, or -1 to give one back. Returns allowed and how far the arrival time is ahead.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local interval = window / tonumber(ARGV[2])
local current = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local taken = interval * math.min(tonumber(ARGV[3]), tonumber(ARGV[2]))
local allowed = current + taken - window - now <= interval * 0.000001 + 1
local stored = current
if ARGV[3] == '-1' then
  stored = math.max(current - interval, now)
elseif allowed then
  stored = current + taken
end
if stored > now then
  redis.call('SET', KEYS[1], string.format('%.3f', stored), 'PX', math.ceil((stored - now) / 1000))
else
  redis.call('DEL', KEYS[1])
end
return { allowed and 1 or 0, string.format('%.0f', stored - now) }`;
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** A limiter with a server behind it. */
export interface SharedRateLimiter extends RateLimiter {
  /** Resolves to null when the server responds, else to a sentence that says why it cannot be used. */
  ask(): Promise<string | null>;
  close(): void;
}

/** Limits in a shared Redis-protocol server: one round trip each. Throws `rate_limit_unavailable` without it. */
export function createRedisRateLimiter(access: RedisAccess, log: Logger): SharedRateLimiter {
  const client = connectRedis(access, log);

  async function evaluate(
    key: string,
    { limit, windowSeconds }: RateLimit,
    tokens: number,
  ): Promise<RateDecision> {
    const args = ['1', KEY_PREFIX + key, String(windowSeconds * 1_000_000), String(limit), String(tokens)];
    try {
      const [allowed, aheadUs] = await withDeadline(runScript(client, args));
      const isAllowed = Number(allowed) === 1;
      return describeDecision(isAllowed, Number(aheadUs) / 1000, limit, windowSeconds * 1000, tokens);
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
      const isReady = await withDeadline(client.send('PING', [])).then(
        () => true,
        () => false,
      );
      if (isReady) return null;
      const refusal = await redisRefusal(access);
      return refusal === null ? 'the connection to it was lost' : redisRefusals[refusal];
    },
    close: () => client.close(),
  };
}

/** EVALSHA, and EVAL once after a server lost its script cache. */
async function runScript(client: RedisConnection, args: string[]): Promise<[number, string]> {
  try {
    return (await client.send('EVALSHA', [SCRIPT_SHA, ...args])) as [number, string];
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error;
    return (await client.send('EVAL', [SCRIPT, ...args])) as [number, string];
  }
}

function withDeadline<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
