import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import pino from 'pino';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { responds } from '../../sandbox/services/tcp-probe.ts';
import type { RedisAccess } from '../../src/http/redis-connection.ts';
import { createRedisRateLimiter } from '../../src/http/redis-rate-limiter.ts';
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
  const [port, tlsPort] = [await freePort(), await freePort()];
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir,
    'tls-port': String(tlsPort),
    'tls-cert-file': file('server.crt', serverCertificate.cert),
    'tls-key-file': file('server.key', serverCertificate.key),
    'tls-ca-cert-file': file('ca.crt', serverAuthority),
    'tls-auth-clients': 'no',
  };
  file('other.crt', testAuthority);
  const child = await startChild({
    name: 'redis-server',
    command: 'sh',
    args: [
      new URL('../../ops/redis/start.sh', import.meta.url).pathname,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    env: { PATH: process.env.PATH, REDIS_PASSWORD: PASSWORD },
    ready: () => responds(port, 'PING\r\n', /^-NOAUTH/),
  });
  atEnd(async () => void (await child.stop()));
  return { port, tlsPort, dir };
}

/** What the limiter says at its first answer, or 'refused' once the log says why it has no connection. */
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

const server = startShippedRedis();

test('the limiter works as the user of ops/redis, and nobody without the password does', async () => {
  const { port } = await server;
  expect(await attempt({ redisUrl: `redis://api:${PASSWORD}@127.0.0.1:${port}` })).toBe('allowed');
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
    ['DEL', 'launchwire:rate:x'],
  ])
    await expect(client.send(command, args)).rejects.toThrow(/NOPERM|can't run this command/);
});

test('rediss:// takes the certificate that REDIS_CA_FILE signed, and no clear text', async () => {
  const { port, tlsPort, dir } = await server;
  const as = (address: string) => `rediss://api:${PASSWORD}@${address}`;
  const redisCaFile = join(dir, 'ca.crt');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${tlsPort}`), redisCaFile })).toBe('allowed');
  expect(await attempt({ redisUrl: as(`localhost:${tlsPort}`), redisCaFile })).toBe('allowed');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${tlsPort}`) })).toBe('refused');
  const other = join(dir, 'other.crt');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${tlsPort}`), redisCaFile: other })).toBe('refused');
  expect(await attempt({ redisUrl: as(`127.0.0.1:${port}`), redisCaFile })).toBe('refused');
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
