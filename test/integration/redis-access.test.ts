import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import pino from 'pino';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { limiterCommands } from '../../src/http/limits/limiter-script.ts';
import type { RedisAccess } from '../../src/http/limits/redis-connection.ts';
import { createRedisRateLimiter } from '../../src/http/limits/redis-rate-limiter.ts';
import { redisFault } from '../../src/http/limits/redis-refusal.ts';
import { serverAuthority, serverCertificate } from '../support/http/server-certificates.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { testAuthority } from '../support/webhooks/webhook-certificates.ts';

const PASSWORD = 'hunter2hunter2';
const limit = { limit: 2, windowSeconds: 3_600 };
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

/** The server as `ops/redis/start.sh` starts it, on loopback, with TLS on a port of its own. */
async function startShippedRedis(): Promise<{ port: number; tlsPort: number; dir: string }> {
  const dir = createTempDir('redis');
  const tlsPort = await freePort();
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const settings = {
    'tls-port': String(tlsPort),
    'tls-cert-file': file('server.crt', serverCertificate.cert),
    'tls-key-file': file('server.key', serverCertificate.key),
    'tls-ca-cert-file': file('ca.crt', serverAuthority),
    'tls-auth-clients': 'no',
  };
  file('other.crt', testAuthority);
  const server = await startRedis({ dir, password: PASSWORD, settings });
  atEnd(() => server.stop());
  return { port: server.port, tlsPort, dir };
}

/** The first result of the limiter, or 'refused' once the log has the reason for a missing connection. */
async function attempt(access: RedisAccess): Promise<'allowed' | 'refused'> {
  const limiter = createRedisRateLimiter(access, log);
  const before = lines.length;
  try {
    return await eventually('an answer or a reason', async () => {
      const taking = Promise.resolve(limiter.take('access', crypto.randomUUID(), limit));
      if ((await taking.catch(() => null))?.allowed) return 'allowed';
      return lines.slice(before).some((line) => /redis\.(disconnected|unreachable)/.test(line)) && 'refused';
    });
  } finally {
    limiter.close();
  }
}

/** On a busy machine a connection may take longer than one attempt of the limiter. */
const untilAllowed = (access: RedisAccess) =>
  eventually('it is let in', async () => (await attempt(access)) === 'allowed');

const server = startShippedRedis();

test('the limiter works as the user of ops/redis, and nobody without the password does', async () => {
  const { port } = await server;
  await untilAllowed({ redisUrl: `redis://api:${PASSWORD}@127.0.0.1:${port}` });
  expect(await attempt({ redisUrl: `redis://api:wrongwrong@127.0.0.1:${port}` })).toBe('refused');
  expect(await attempt({ redisUrl: `redis://:${PASSWORD}@127.0.0.1:${port}` })).toBe('refused');
  expect(await attempt({ redisUrl: `redis://127.0.0.1:${port}` })).toBe('refused');
});

test('that user can count and nothing else', async () => {
  const { port } = await server;
  const client = new RedisClient(`redis://api:${PASSWORD}@127.0.0.1:${port}`);
  atEnd(async () => client.close());
  for (const [command = '', ...args] of [
    ['FLUSHALL'],
    ['CONFIG', 'GET', '*'],
    ['KEYS', '*'],
    ['ACL', 'LIST'],
    ['SCRIPT', 'FLUSH'],
    ['GET', 'other'],
    ['EVAL', `return redis.call('FLUSHALL')`, '0'],
    ['DEL', 'other'],
    ['EXPIRE', 'launchwire:rate:x', '1'],
  ])
    await expect(client.send(command, args)).rejects.toThrow(/NOPERM|can't run this command/);
});

test('may run exactly what the limiter and its connections send', () => {
  const script = readFileSync(new URL('../../ops/redis/start.sh', import.meta.url), 'utf8');
  const granted = [...script.matchAll(/ \+(\w+)/g)].map(([, name = '']) => name.toUpperCase());
  // HELLO is how Bun's client logs in; AUTH and PING is how a refused login is explained.
  expect(granted.toSorted()).toEqual(['HELLO', 'AUTH', 'PING', ...limiterCommands()].toSorted());
});

describe('a user who lacks a right', () => {
  const rights = ['ping', 'evalsha', 'eval', 'time', 'get', 'set', 'del'] as const;
  let at: (user: string) => RedisAccess;

  beforeAll(async () => {
    const redis = await startRedis({ dir: createTempDir('redis'), isOpen: true });
    atEnd(() => redis.stop());
    const client = new RedisClient(redis.url);
    atEnd(async () => client.close());
    const setUser = (user: string, ...rules: string[]) =>
      client.send('ACL', ['SETUSER', user, 'on', `>${PASSWORD}`, '+hello', '+auth', ...rules]);
    for (const missing of rights)
      await setUser(
        missing,
        '~launchwire:rate:*',
        ...rights.filter((right) => right !== missing).map((right) => `+${right}`),
      );
    await setUser('keys', '~other:*', ...rights.map((right) => `+${right}`));
    at = (user) => ({ redisUrl: `redis://${user}:${PASSWORD}@127.0.0.1:${redis.port}` });
  });

  test.each(rights)('learns that it is %s, whatever the script of the limiter does', async (missing) => {
    const name = missing.toUpperCase();
    expect(await redisFault(at(missing))).toEqual({
      detail: `its user may not run ${name} (NOPERM)`,
      lies: 'in_rights',
    });
  });

  test('learns which keys', async () => {
    expect((await redisFault(at('keys')))?.detail).toContain('GET on keys below launchwire:rate:');
  });

  test('has a limiter that reports the same', async () => {
    const limiter = createRedisRateLimiter(at('del'), log);
    atEnd(async () => limiter.close());
    await eventually('the reason', async () => (await limiter.ask()) === 'its user may not run DEL (NOPERM)');
  });
});

test('a probe of the limiter leaves no key', async () => {
  const redis = await startRedis({ dir: createTempDir('redis'), isOpen: true });
  atEnd(() => redis.stop());
  expect(await redisFault({ redisUrl: redis.url })).toBeNull();
  const client = new RedisClient(redis.url);
  atEnd(async () => client.close());
  expect(await client.send('DBSIZE', [])).toBe(0);
});

test('a replica and a full server are named as such', async () => {
  const redis = await startRedis({ dir: createTempDir('redis'), isOpen: true });
  atEnd(() => redis.stop());
  const client = new RedisClient(redis.url);
  atEnd(async () => client.close());
  await client.send('CONFIG', ['SET', 'maxmemory', '1']);
  expect((await redisFault({ redisUrl: redis.url }))?.detail).toBe(
    'its memory is full and nothing is evicted',
  );
  await client.send('CONFIG', ['SET', 'maxmemory', '0']);
  await client.send('REPLICAOF', ['127.0.0.1', '9']);
  expect((await redisFault({ redisUrl: redis.url }))?.detail).toBe(
    'it is a replica, which accepts no writes',
  );
});

test('rediss:// takes the certificate that REDIS_CA_FILE signed, and no clear text', async () => {
  const { port, tlsPort, dir } = await server;
  const as = (address: string) => `rediss://api:${PASSWORD}@${address}`;
  const redisCaFile = join(dir, 'ca.crt');
  await untilAllowed({ redisUrl: as(`127.0.0.1:${tlsPort}`), redisCaFile });
  await untilAllowed({ redisUrl: as(`localhost:${tlsPort}`), redisCaFile });
  expect(await attempt({ redisUrl: as(`127.0.0.1:${tlsPort}`) })).toBe('refused');
  const other = join(dir, 'other.crt');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${tlsPort}`), redisCaFile: other })).toBe('refused');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${port}`), redisCaFile })).toBe('refused');
  expect(await redisFault({ redisUrl: as(`127.0.0.1:${tlsPort}`), redisCaFile: other })).toMatchObject({
    lies: 'in_certificate',
  });
  // A server in clear text never answers the handshake; the question ends all the same.
  expect(await redisFault({ redisUrl: as(`127.0.0.1:${port}`), redisCaFile })).toMatchObject({
    lies: 'in_server',
  });
});

test('no log line holds the password', () => {
  expect(lines.join()).toContain('redis.connected');
  expect(lines.join()).not.toContain(PASSWORD);
});

test('a password that the shell script could not pass on is refused', async () => {
  const start = startChild({
    name: 'redis-server',
    command: 'sh',
    args: [new URL('../../ops/redis/start.sh', import.meta.url).pathname],
    env: { PATH: process.env.PATH, REDIS_PASSWORD: 'two\nuser default on nopass' },
    ready: async () => false,
  });
  await expect(start).rejects.toThrow('letters and digits');
});
