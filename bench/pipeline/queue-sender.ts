import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '../../sandbox/services/redis.ts';

export interface QueueSender {
  run(count: number): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const WORKER = new URL('queue-worker.mjs', import.meta.url).pathname;

/** The peer: BullMQ on a real Redis, run by Node. Null, with a line that says why, where one of them is missing. */
export async function startQueueSender(origin: string): Promise<QueueSender | null> {
  if (Bun.which('node') === null) return skip('there is no node here');
  try {
    import.meta.resolve('ioredis');
  } catch {
    return skip('its Redis client, ioredis, is not installed');
  }
  const dir = await mkdtemp(join(tmpdir(), 'launchwire-bench-redis-'));
  let redis: RedisServer;
  try {
    redis = await startRedis({ dir });
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    return skip(error instanceof Error ? error.message : String(error));
  }
  return {
    async run(count) {
      const child = Bun.spawn(['node', WORKER, redis.url, origin, String(count)], { stdout: 'pipe' });
      const output = await new Response(child.stdout).text();
      if ((await child.exited) !== 0) throw new Error('the BullMQ worker failed');
      return JSON.parse(output) as Record<string, number>;
    },
    async close() {
      await redis.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function skip(reason: string): null {
  console.log(`BullMQ is left out: ${reason}`);
  return null;
}
