import type { AdminConfig } from '../../config.ts';
import { redisRefusal, redisRefusals } from '../../http/redis-refusal.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** Whether Redis is reached, where rate limits are counted in it. */
export async function checkRedis({ redisUrl, redisCaFile }: AdminConfig): Promise<Finding> {
  if (redisUrl === undefined)
    return skipped('redis', 'needs REDIS_URL; without it, limits are counted per process');
  const refusal = await redisRefusal({ redisUrl, redisCaFile });
  return refusal === null
    ? ok('redis', 'it accepts the user and responds')
    : failed('redis', `REDIS_URL: ${redisRefusals[refusal]}`);
}
