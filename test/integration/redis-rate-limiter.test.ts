import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { createRedisRateLimiter } from '../../src/http/limits/redis-rate-limiter.ts';
import { createLogger } from '../../src/shared/log.ts';
import { Problem } from '../../src/shared/problem.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';

const log = createLogger('test', 'silent');
/** For a server that is well: on a starved machine it may miss the deadline of the service. */
const PATIENT_MS = 60_000;
let url: string;

beforeAll(async () => {
  url = await sharedRedisUrl();
});

async function connected(redisUrl: string, deadlineMs?: number) {
  const limiter = createRedisRateLimiter({ redisUrl }, log, deadlineMs);
  atEnd(async () => limiter.close());
  await eventually('the limiter connects', () => limiter.ask().then((reason) => reason === null));
  return limiter;
}

describe('limits shared through Redis', () => {
  test('admit exactly the limit of a burst over two processes', async () => {
    const limiters = [await connected(url, PATIENT_MS), await connected(url, PATIENT_MS)];
    const subject = crypto.randomUUID();
    // A window this long gives nothing back while the test runs.
    const limit = { limit: 37, windowSeconds: 86_400 };
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, index) => limiters[index % 2]?.take('burst', subject, limit)),
    );
    expect(decisions.filter((decision) => decision?.allowed).length).toBe(37);
    const refused = decisions.find((decision) => decision?.allowed === false);
    expect(refused).toMatchObject({ limit: 37, remaining: 0 });
    expect(refused?.retryAfterSeconds).toBeGreaterThan(0);
  });

  test('are refunded exactly the returned cost', async () => {
    const limiter = await connected(url, PATIENT_MS);
    const subject = crypto.randomUUID();
    const limit = { limit: 2, windowSeconds: 3_600 };
    const take = async () => (await limiter.take('back', subject, limit)).allowed;
    await limiter.giveBack('back', subject, limit);
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
    await limiter.giveBack('back', subject, limit);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('admit a request with the cost of several wholly or not at all, and at most their limit', async () => {
    const limiter = await connected(url, PATIENT_MS);
    const limit = { limit: 10, windowSeconds: 86_400 };
    const [subject, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const take = async (of: string, cost: number) => {
      const { allowed, remaining } = await limiter.take('cost', of, limit, cost);
      return { allowed, remaining };
    };
    expect(await take(subject, 7)).toEqual({ allowed: true, remaining: 3 });
    expect(await take(subject, 4)).toEqual({ allowed: false, remaining: 3 });
    expect(await take(subject, 3)).toEqual({ allowed: true, remaining: 0 });
    expect(await take(other, 11)).toEqual({ allowed: true, remaining: 0 });
    await limiter.giveBack('cost', other, limit);
    expect(await take(other, 1)).toEqual({ allowed: true, remaining: 0 });
  });

  test('survive a server that forgot the script', async () => {
    const server = { dir: join(createTempDir('redis'), 'data'), password: 'survives1' };
    const first = await startRedis(server);
    atEnd(() => first.stop());
    const limiter = await connected(first.url, PATIENT_MS);
    const take = async () => (await limiter.take('script', crypto.randomUUID(), limit)).allowed;
    const limit = { limit: 1, windowSeconds: 1 };
    expect(await take()).toBe(true);
    await first.kill();
    const second = await startRedis({ ...server, port: first.port });
    atEnd(() => second.stop());
    await eventually('the new server counts', () => take().catch(() => false));
  });
});

describe('a limiter that cannot be reached', () => {
  test('refuses with rate_limit_unavailable, whether the server is gone or silent, and recovers by itself', async () => {
    const dir = join(createTempDir('redis'), 'data');
    const password = 'recovers1';
    let server = await startRedis({ dir, password });
    atEnd(() => server.stop());
    const { port } = server;
    const limiter = await connected(server.url);
    const take = async () => {
      try {
        await limiter.take('gone', 'a', { limit: 1_000, windowSeconds: 60 });
        return 'allowed';
      } catch (error) {
        return error instanceof Problem ? error.code : String(error);
      }
    };
    process.kill(server.pid, 'SIGSTOP');
    expect(await take()).toBe('rate_limit_unavailable');
    process.kill(server.pid, 'SIGCONT');
    await eventually('it is allowed again', async () => (await take()) === 'allowed');
    await server.kill();
    await eventually('it is refused', async () => (await take()) === 'rate_limit_unavailable');
    server = await startRedis({ dir, port, password });
    await eventually('it is allowed again', async () => (await take()) === 'allowed');
  });

  test('tries again when a connection is never answered, and recovers', async () => {
    const dir = join(createTempDir('redis'), 'data');
    let connections = 0;
    const open = () => {
      connections += 1;
    };
    const port = await freePort();
    const silent = Bun.listen({ hostname: '127.0.0.1', port, socket: { open, data() {} } });
    const password = 'recovers1';
    const limiter = createRedisRateLimiter({ redisUrl: `redis://api:${password}@127.0.0.1:${port}` }, log);
    atEnd(async () => limiter.close());
    const look = async () => (await limiter.take('first', 'a', { limit: 1_000, windowSeconds: 60 })).allowed;
    await expect(look()).rejects.toMatchObject({ code: 'rate_limit_unavailable' });
    await eventually('the second attempt', async () => connections === 2);
    silent.stop(true);
    const server = await startRedis({ dir, port, password });
    atEnd(() => server.stop());
    await eventually('it is allowed', () => look().catch(() => false));
  });
});
