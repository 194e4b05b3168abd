import type { AdminConfig } from '../../config/load.ts';
import { redisFault } from '../../http/limits/redis-refusal.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** Checks that Redis counts as the limiter needs it, if rate limits are counted there. */
export async function checkRedis({ redisUrl, redisCaFile }: AdminConfig): Promise<Finding> {
  if (redisUrl === undefined)
    return skipped('redis', 'needs REDIS_URL; if unset, each process counts limits on its own');
  const fault = await redisFault({ redisUrl, redisCaFile });
  return fault === null
    ? ok('redis', 'it accepts the user and counts')
    : failed('redis', `REDIS_URL: ${fault.detail}`);
}
