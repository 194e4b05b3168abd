import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../../sandbox/services/redis.ts';
import { Resources } from '../cases/resources.ts';

export interface QueueSender {
  run(count: number): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const WORKER = new URL('queue-worker.mjs', import.meta.url).pathname;

/** The peer: BullMQ on a real Redis, run by Node. Prints the reason and returns null where one of them is missing. */
export async function startQueueSender(origin: string): Promise<QueueSender | null> {
  if (Bun.which('node') === null) return skip('Node is not installed');
  try {
    import.meta.resolve('ioredis');
  } catch {
    return skip('its Redis client, ioredis, is not installed');
  }
  try {
    return await Resources.build((resources) => startOnRedis(resources, origin));
  } catch (error) {
    return skip(error instanceof Error ? error.message : String(error));
  }
}

async function startOnRedis(resources: Resources, origin: string): Promise<QueueSender> {
  const dir = await resources.start(
    () => mkdtemp(join(tmpdir(), 'launchwire-bench-redis-')),
    (path) => rm(path, { recursive: true, force: true }),
  );
  const redis = await resources.start(
    () => startRedis({ dir, isOpen: true }),
    (server) => server.stop(),
  );
  return {
    async run(count) {
      const child = await resources.start(
        async () => Bun.spawn(['node', WORKER, redis.url, origin, String(count)], { stdout: 'pipe' }),
        (worker) => {
          worker.kill();
          return worker.exited;
        },
      );
      const output = await new Response(child.stdout).text();
      if ((await child.exited) !== 0) throw new Error('the BullMQ worker failed');
      return JSON.parse(output) as Record<string, number>;
    },
    close: () => resources.close(),
  };
}

function skip(reason: string): null {
  console.log(`BullMQ is left out: ${reason}`);
  return null;
}
