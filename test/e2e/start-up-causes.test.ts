import { beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startDroppingPooler } from '../support/database/dropping-pooler.ts';
import { startOwnPostgres } from '../support/database/own-postgres.ts';
import { startTlsPostgres } from '../support/database/tls-postgres.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { serverCertificate } from '../support/http/server-certificates.ts';
import { commandOf } from '../support/processes/compiled-programs.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { spawnBun } from '../support/sandbox/sandbox-process.ts';
import { type BusWithUsers, startBusWithUsers } from '../support/servers/bus-with-users.ts';
import { createTestNats } from '../support/servers/nats.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';
import { testAuthority } from '../support/webhooks/webhook-certificates.ts';

const entries = {
  api: 'src/api/main.ts',
  worker: 'src/worker/main.ts',
  relay: 'relay/main.ts',
  internal: 'src/internal/main.ts',
  migrate: 'src/db/main.ts',
} as const;
type Program = keyof typeof entries;
const programs = Object.keys(entries) as Program[];
const PASSWORD = 'hunter2hunter2';

let healthy: Record<string, string>;
const tlsPostgres = startTlsPostgres(serverCertificate);
const otherAuthority = join(createTempDir('authority'), 'ca.pem');
writeFileSync(otherAuthority, testAuthority);

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const nats = await createTestNats();
  healthy = {
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_URL: url,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: `http://127.0.0.1:${await freePort()}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
  };
});

/** The output of a program that must end by itself. */
async function endOf(
  program: Program,
  changes: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const PORT = String(await freePort());
  const entry = entries[program];
  const run = spawnBun([entry], { ...healthy, PORT, ...changes }, await commandOf(entry));
  let hasEnded = false;
  void run.ended.then(() => {
    hasEnded = true;
  });
  const isServing = () =>
    fetch(`http://127.0.0.1:${PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually('its end', async () => hasEnded || (await isServing()));
  if (!hasEnded) {
    // An api gives its servers some seconds to answer, and serves when a busy machine takes longer.
    await run.stop('SIGKILL');
    return endOf(program, changes);
  }
  const { code, output } = await run.ended;
  expect(output).not.toContain(PASSWORD);
  return { code, output: output.trim() };
}

/** Expects only the cause besides log lines. No output may contain a stack trace. */
async function expectCause(program: Program, changes: Record<string, string>, cause: string) {
  const { code, output } = await endOf(program, changes);
  expect(output).not.toContain('stack');
  const plain = output.split('\n').filter((line) => !line.startsWith('{'));
  expect({ program, output: plain.join('\n') }).toEqual({
    program,
    output: `invalid configuration:\n  - ${cause}`,
  });
  expect(code).not.toBe(0);
}

/** The database's URL with one change. */
function databaseUrl(change: (url: URL) => void): string {
  const url = new URL(healthy.DATABASE_URL ?? '');
  change(url);
  return url.href;
}

test.each(programs)('%s ends with one sentence when Postgres refuses the password', async (program) => {
  const DATABASE_URL = databaseUrl((url) => {
    url.password = PASSWORD;
  });
  await expectCause(
    program,
    { DATABASE_URL },
    'DATABASE_URL names a user or password that Postgres refuses: correct them, see "Database users" in docs/operations/database.md',
  );
});

/** All programs share the functions that find these causes, so the relay and one other program are enough. */
describe('a program ends with one sentence', () => {
  const docs = 'see "TLS to Postgres" in docs/operations/database.md';

  test.each(['relay', 'api'] as const)('when the database does not exist: %s', async (program) => {
    const DATABASE_URL = databaseUrl((url) => {
      url.pathname = '/no_such_database';
    });
    await expectCause(
      program,
      { DATABASE_URL },
      'DATABASE_URL names a database that does not exist: create it, then run the migrations of this release',
    );
  });

  test.each(['relay', 'worker'] as const)('when Postgres demands TLS: %s', async (program) => {
    await expectCause(
      program,
      { DATABASE_URL: (await tlsPostgres).url },
      `DATABASE_URL names a Postgres whose pg_hba.conf admits no such connection without TLS: set DATABASE_CA or sslmode, or add an entry there, ${docs}`,
    );
  });

  test.each(['relay', 'internal'] as const)(
    'when Postgres shows an untrusted certificate: %s',
    async (program) => {
      await expectCause(
        program,
        { DATABASE_URL: (await tlsPostgres).url, DATABASE_CA: otherAuthority },
        `DATABASE_URL names a Postgres whose certificate no trusted authority has signed: set DATABASE_CA to the file of its authority, ${docs}`,
      );
    },
  );

  test.each(['relay', 'migrate'] as const)('when Postgres offers no TLS: %s', async (program) => {
    await expectCause(
      program,
      { DATABASE_CA: otherAuthority },
      `DATABASE_URL wants TLS from a Postgres that offers none: switch it on there, or ${docs}`,
    );
  });

  test.each(['relay', 'api'] as const)('when the file of its authority is missing: %s', async (program) => {
    await expectCause(
      program,
      { DATABASE_CA: '/nowhere/ca.pem' },
      'DATABASE_CA names a file that cannot be read (ENOENT)',
    );
  });

  test.each(['relay', 'migrate'] as const)('when a URL is malformed: %s', async (program) => {
    const { code, output } = await endOf(program, { DATABASE_URL: `postgres://launchwire:${PASSWORD}@` });
    expect(output).toEndWith(
      'invalid configuration:\n  - DATABASE_URL must be postgres://user:password@host:port/database, with a host (or several, host:port,host:port) and the name of a database',
    );
    expect(code).not.toBe(0);
  });

  test.each(['relay', 'worker'] as const)(
    'when a variable with a prefix of Launchwire does not exist: %s',
    async (program) => {
      await expectCause(
        program,
        { WEBHOOK_ALLOWED_CIDR: '10.0.0.0/8' },
        'WEBHOOK_ALLOWED_CIDR is no variable of Launchwire: the most similar is WEBHOOK_ALLOWED_CIDRS',
      );
    },
  );
});

const processes = programs.filter((program) => program !== 'migrate');

describe.each(processes)('%s ends where a connection pooler drops', (program) => {
  const through = async (dropped: readonly string[]) => {
    const port = await startDroppingPooler(Number(new URL(healthy.DATABASE_URL ?? '').port), dropped);
    return { DATABASE_URL: databaseUrl((url) => (url.port = String(port))) };
  };

  test('its role', async () => {
    await expectCause(
      program,
      await through(['role']),
      `DATABASE_URL leads to sessions that work as postgres instead of launchwire_${program}: let the connection pooler pass on the start-up parameter role, or run \`alter user … set role launchwire_${program}\`, see "Connection poolers" in docs/operations/database.md`,
    );
  });

  test('a limit of its sessions', async () => {
    const { lockMs } = databaseLimits[program];
    await expectCause(
      program,
      await through(['lock_timeout']),
      `DATABASE_URL leads to sessions with lock_timeout of 0 ms instead of ${lockMs} ms: let the connection pooler pass on the start-up parameters, or set them for the user, see "Connection poolers" in docs/operations/database.md`,
    );
  });
});

describe('a broker that refuses the login', () => {
  let bus: BusWithUsers;

  beforeAll(async () => {
    bus = await startBusWithUsers();
  });

  test.each(['api', 'worker', 'relay'] as const)('ends %s', async (program) => {
    await expectCause(
      program,
      { NATS_URL: `nats://${program}:${PASSWORD}@127.0.0.1:${bus.server.port}` },
      'NATS refuses the user, password or token in NATS_URL, or the key in NATS_CREDENTIALS_FILE or NATS_NKEY_SEED_FILE: correct it, see "Credentials" in docs/operations/configuration.md',
    );
  });

  test.each([
    ['worker', 'relay'],
    ['worker', 'api'],
    ['worker', 'admin'],
    ['relay', 'worker'],
    ['relay', 'api'],
  ] as const)('or a request: %s as the user %s, which is never ready', async (program, user) => {
    await expectCause(
      program,
      { NATS_URL: bus.urlOf(user) },
      `NATS_URL logs in a user who may not subscribe to _INBOX.launchwire-${program}.>: use the user of this process in ops/nats/users.conf, see "Credentials" in docs/operations/configuration.md`,
    );
  });
});

describe('a broker with TLS', () => {
  const secure = startSecureNats();

  test.each(['api', 'worker', 'relay'] as const)(
    'ends %s when its certificate is not accepted',
    async (program) => {
      await expectCause(
        program,
        { NATS_URL: `tls://127.0.0.1:${(await secure).port}`, NATS_CA_FILE: otherAuthority },
        'NATS_URL names a server whose certificate is not accepted: set NATS_CA_FILE to the file of its authority, and use a host name and a certificate that fit',
      );
    },
  );

  test('ends a process that wants TLS where the server offers none, or that names a missing file', async () => {
    await expectCause(
      'worker',
      { NATS_URL: (healthy.NATS_URL ?? '').replace('nats:', 'tls:') },
      'NATS_URL wants TLS from a server that offers none: switch it on there, or begin the URL with nats://',
    );
    await expectCause(
      'api',
      { NATS_URL: `tls://127.0.0.1:${(await secure).port}`, NATS_CA_FILE: '/nowhere/ca.pem' },
      'NATS_CA_FILE names a file that cannot be read (ENOENT)',
    );
  });

  async function startSecureNats() {
    const dir = createTempDir('nats');
    const { cert, key } = certificateFiles(dir);
    const server = await startNats({
      storeDir: join(dir, 'store'),
      durable: false,
      settings: [`tls { cert_file: "${cert}", key_file: "${key}" }`],
    });
    atEnd(() => server.stop());
    return server;
  }
});

/** A certificate for this machine, with its key. */
function certificateFiles(dir: string): { cert: string; key: string } {
  const files = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') };
  writeFileSync(files.cert, serverCertificate.cert);
  writeFileSync(files.key, serverCertificate.key, { mode: 0o600 });
  return files;
}

test('a Redis whose certificate is not accepted ends the api', async () => {
  const dir = createTempDir('redis');
  const { cert, key } = certificateFiles(dir);
  const tlsPort = String(await freePort());
  const settings = {
    'tls-port': tlsPort,
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-auth-clients': 'no',
    'tls-ca-cert-file': otherAuthority,
  };
  const redis = await startRedis({ dir, isOpen: true, settings });
  atEnd(() => redis.stop());
  await expectCause(
    'api',
    { REDIS_URL: `rediss://127.0.0.1:${tlsPort}`, REDIS_CA_FILE: otherAuthority },
    'REDIS_URL names a server whose certificate is not accepted: set REDIS_CA_FILE to the file of its authority, and use a host name and a certificate that fit, or leave it out to count limits in process memory',
  );
});

test('an api of a live deployment whose links lead nowhere starts, and says so', async () => {
  const start = async (environment: Record<string, string>) => {
    const { child } = await startApiProcess(healthy.DATABASE_URL ?? '', {
      ...healthy,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      API_ENVIRONMENT: 'live',
      ...environment,
    });
    await child.stop();
    return child.lastLines().join('\n');
  };
  expect(await start({})).toMatch(/PUBLIC_URL is http:\/\/localhost:\d+, which leads .*"api.unfit_for_live"/);
  expect(await start({ PUBLIC_URL: 'https://api.example.com' })).not.toContain('unfit_for_live');
});

test('files that variables name and that are missing end api and relay', async () => {
  await expectCause(
    'relay',
    { WEBHOOK_CA_FILE: '/nowhere/ca.pem' },
    'WEBHOOK_CA_FILE names a file that cannot be read (ENOENT)',
  );
  await expectCause(
    'api',
    { REDIS_URL: 'rediss://127.0.0.1:1', REDIS_CA_FILE: '/nowhere/ca.pem' },
    'REDIS_CA_FILE names a file that cannot be read (ENOENT)',
  );
});

test('processes wait for a standby, and are not ready until it is promoted', async () => {
  const postgres = await startOwnPostgres({ durable: true });
  const { url } = await createTestDatabase(postgres.url);
  await postgres.stop();
  writeFileSync(join(postgres.clusterDir, 'standby.signal'), '');
  await postgres.start();
  const environment = { ...healthy, DATABASE_URL: url, LOG_LEVEL: 'info' };
  const ports = { worker: await freePort(), relay: await freePort() };
  const waiting = /it is a standby/;
  const worker = await startWorkerProcess({ ...environment, METRICS_PORT: String(ports.worker) }, waiting);
  const relay = await startRelayProcess({ ...environment, METRICS_PORT: String(ports.relay) }, waiting);
  const api = await startApiProcess(url, { METRICS_PORT: '', SECRET_KEY: healthy.SECRET_KEY ?? '' });
  const postgresOf = async (origin: string) => {
    const { dependencies } = await readReadiness(origin);
    return dependencies.find(({ name }) => name === 'postgres');
  };
  const origins = [
    ...Object.values(ports).map((port) => `http://127.0.0.1:${port}`),
    new URL(api.baseUrl).origin,
  ];
  for (const origin of origins)
    expect(await postgresOf(origin)).toMatchObject({ ready: false, detail: 'it is a standby' });
  const admin = connectDatabase(postgres.url, { applicationName: 'test', connections: 1 });
  atEnd(() => admin.end({ timeout: 1 }));
  await admin`select pg_promote()`;
  await eventually('the worker starts', async () => worker.lastLines().join().includes('worker.started'));
  await eventually('the relay starts', async () => relay.lastLines().join().includes('relay.ready'));
  for (const origin of origins)
    await eventually('it is ready', async () => (await postgresOf(origin))?.ready === true);
});

describe('a port in use', () => {
  let taken: string;

  beforeAll(() => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') });
    atEnd(async () => void (await server.stop(true)));
    taken = String(server.port);
  });

  const cause = (variable: string) =>
    `${variable}=${taken} on 127.0.0.1 is in use: stop what listens there, or choose another port`;

  test('ends api and internal', async () => {
    await expectCause('api', { PORT: taken }, cause('PORT'));
    await expectCause('internal', { INTERNAL_PORT: taken }, cause('INTERNAL_PORT'));
  });

  test('ends several api processes, and their supervisor', async () => {
    const { code, output } = await endOf('api', { PORT: taken, API_WORKERS: '2' });
    expect(output).toContain(cause('PORT'));
    expect(code).not.toBe(0);
  });

  test.each(programs.filter((program) => program !== 'migrate'))(
    'ends %s where it is that of the metrics',
    async (program) => {
      const { code, output } = await endOf(program, { METRICS_PORT: taken });
      expect(output).toEndWith(`invalid configuration:\n  - ${cause('METRICS_PORT')}`);
      expect(code).not.toBe(0);
    },
  );
});

test('an unknown policy in RATE_LIMITS ends the api, which names the nearest', async () => {
  const { code, output } = await endOf('api', {
    RATE_LIMITS: '{"webhook-admn":{"limit":1,"windowSeconds":1}}',
  });
  expect(output).toStartWith('invalid configuration:\n  - RATE_LIMITS ');
  expect(output).toContain('webhook-admin');
  expect(output.split('\n')).toHaveLength(2);
  expect(code).not.toBe(0);
});

test('a Redis that refuses the password ends the api', async () => {
  const url = new URL(await sharedRedisUrl());
  url.username = 'nobody';
  url.password = PASSWORD;
  await expectCause(
    'api',
    { REDIS_URL: url.href },
    'REDIS_URL names a user or password that Redis refuses: correct them, or leave it out to count limits in process memory',
  );
});

test('a Redis whose user may not run what the limiter runs ends the api', async () => {
  const redis = await startRedis({ dir: createTempDir('redis'), isOpen: true });
  atEnd(() => redis.stop());
  const client = new RedisClient(redis.url);
  const rights = ['eval', 'evalsha', 'time', 'get', 'set'].map((name) => `+${name}`);
  const setUser = [
    'SETUSER',
    'api',
    'on',
    `>${PASSWORD}`,
    '~launchwire:rate:*',
    '+hello',
    '+ping',
    ...rights,
  ];
  await client.send('ACL', setUser);
  client.close();
  await expectCause(
    'api',
    { REDIS_URL: `redis://api:${PASSWORD}@127.0.0.1:${redis.port}` },
    'REDIS_URL names a server that cannot count, its user may not run DEL (NOPERM): grant the rights in ops/redis/start.sh, or leave it out to count limits in process memory',
  );
});

test('a Redis that is away is named in the log and in /readyz, and waited for', async () => {
  const redisUrl = `redis://:${PASSWORD}@127.0.0.1:${await freePort()}`;
  const { baseUrl, child } = await startApiProcess(healthy.DATABASE_URL ?? '', {
    SECRET_KEY: healthy.SECRET_KEY ?? '',
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'warn',
  });
  const { code, dependencies } = await readReadiness(new URL(baseUrl).origin);
  expect(code).toBe(503);
  expect(dependencies.find(({ name }) => name === 'redis')).toEqual({
    name: 'redis',
    required: true,
    ready: false,
    detail: 'it refuses connections',
  });
  await eventually('the log says so', async () =>
    child.lastLines().some((line) => /"dependency":"redis","reason":"it refuses connections"/.test(line)),
  );
  expect(child.lastLines().join()).not.toContain(PASSWORD);
});

describe('a SECRET_KEY that is not that of the other processes', () => {
  const cause =
    'SECRET_KEY differs from that of the other processes: secrets are sealed under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS; give this process the same keys, or add that key to SECRET_KEY_PREVIOUS';

  test('ends api and relay, also before there is any secret', async () => {
    const { url: DATABASE_URL } = await createTestDatabase();
    await startApiProcess(DATABASE_URL);
    await expectCause('relay', { DATABASE_URL }, cause);
    await expectCause('api', { DATABASE_URL }, cause);
    const { code, output } = await endOf('api', { DATABASE_URL, API_WORKERS: '2' });
    expect(output).toContain(cause);
    expect(code).toBe(78);
  });

  test('ends them where the secrets are older than the list of keys; one that fits is enough', async () => {
    const { url: DATABASE_URL } = await createTestDatabase();
    const pool = connectDatabase(DATABASE_URL, { applicationName: 'test', connections: 1 });
    atEnd(() => pool.end({ timeout: 1 }));
    const { accountId } = await createTestKey(pool);
    const key = randomBytes(32);
    const id = Bun.randomUUIDv7();
    const sealedSecret = sealWebhookSecret(createSecretBox(key), id, generateWebhookSecret());
    await insertEndpoint(pool, { id, accountId, sealedSecret });
    for (const program of ['relay', 'api'] as const)
      await expectCause(
        program,
        { DATABASE_URL },
        'SECRET_KEY opens none of the stored webhook secrets: give this process the key that they are sealed under, or add it to SECRET_KEY_PREVIOUS',
      );
    const relay = await startRelayProcess({
      ...healthy,
      DATABASE_URL,
      LOG_LEVEL: 'info',
      SECRET_KEY_PREVIOUS: key.toString('base64'),
    });
    await relay.stop();
  });
});
