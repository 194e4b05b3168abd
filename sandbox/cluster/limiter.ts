import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { exitOf } from '../processes/server-processes.ts';
import { stages } from '../processes/supervisor.ts';
import { startRedis } from '../services/redis.ts';
import type { ClusterContext } from './context.ts';

export const REDIS = 'redis';
const PASSWORD = randomBytes(16).toString('hex');

/** Starts the counters of the rate limits, which the apis share. */
export async function startLimiter({ supervisor, folder, links, log }: ClusterContext): Promise<void> {
  const port = await links.portOf(REDIS, 'redis');
  await supervisor.start(REDIS, stages.servers, async () => {
    const server = await startRedis({ dir: join(folder.root, REDIS), port, password: PASSWORD, log });
    return { pid: server.pid, exited: exitOf(server.pid), stop: server.stop, kill: server.kill };
  });
}

export async function redisUrlFor({ links }: Pick<ClusterContext, 'links'>, from: string): Promise<string> {
  return `redis://api:${PASSWORD}@127.0.0.1:${await links.portFor(from, REDIS, 'redis')}`;
}
