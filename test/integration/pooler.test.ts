import { beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { type PgBouncerServer, startPgBouncer } from '../../sandbox/services/pgbouncer.ts';
import { checkConnections } from '../../src/admin/doctor/check-connections.ts';
import { checkPooler, readPoolerLimits, sessionsOfPooler } from '../../src/admin/doctor/check-pooler.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { processConnections } from '../../src/db/connections.ts';
import { databaseFailure } from '../../src/db/failure.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { migrate } from '../../src/db/migrate.ts';
import { findPooling } from '../../src/db/pooler.ts';
import { requireDatabase, untilDatabaseReachable } from '../../src/db/require-database.ts';
import type { DatabaseRole } from '../../src/db/roles.ts';
import { sessionFault } from '../../src/db/session.ts';
import { type PooledRole, roleSettings } from '../../src/db/session-settings.ts';
import type { DatabasePooler } from '../../src/shared/database-poolers.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createTestServiceKey, startTestInternalApi } from '../support/internal/internal-api.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const PAGE = 'see "Connection poolers" in docs/operations/database.md';
/** What a pooler would drop, as an operator may tell it to. */
const DROPPED = [
  'role',
  ...Object.keys(roleSettings.launchwire_api),
  'tcp_keepalives_idle',
  'tcp_keepalives_interval',
  'tcp_keepalives_count',
  'tcp_user_timeout',
  'client_connection_check_interval',
].join(', ');

let database: TestDatabase;
let pooled: PooledDatabase;
let owner: Database;
/** Few sessions, so that clients share them. */
const SESSIONS = 3;

beforeAll(async () => {
  database = await createTestDatabase();
  pooled = await poolDatabase(database, { default_pool_size: SESSIONS });
  owner = connectDatabase(database.url, { applicationName: 'owner', connections: 1 });
  atEnd(() => owner.end({ timeout: 0 }));
});

interface Connecting {
  role: DatabaseRole;
  databasePooler?: DatabasePooler;
}

function connect(databaseUrl: string, { role, databasePooler = 'none' }: Connecting): Database {
  const process = role.replace('launchwire_', '') as 'api' | 'worker' | 'relay' | 'internal';
  const pool = connectDatabase(
    { databaseUrl, databasePooler },
    { applicationName: 'pooler', connections: 4, role, limits: databaseLimits[process] },
  );
  atEnd(() => pool.end({ timeout: 0 }));
  return pool;
}

const refusalOf = (pool: Database, role: DatabaseRole) =>
  untilDatabaseReachable(pool, role, {
    log: createLogger('pooler', 'silent'),
    signal: AbortSignal.timeout(20_000),
  }).catch(({ message }: Error) => message);

test('the settings of the roles are those of the code', async () => {
  const rows = await database.sql<{ role: string; settings: string[] }[]>`
    select r.rolname as role, s.setconfig as settings from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
    where s.setdatabase = 0 and r.rolname like 'launchwire\\_%'`;
  const found = Object.fromEntries(
    rows.map(({ role, settings }) => [role, Object.fromEntries(settings.map((one) => one.split('=')))]),
  );
  expect(found).toEqual(roleSettings);
});

describe('through a pooler that shares sessions', () => {
  test('a session has role, limits and plans by its user', async () => {
    for (const role of ['launchwire_api', 'launchwire_internal'] as const) {
      const { DATABASE_URL } = pooled.environmentOf(role);
      const pool = connect(DATABASE_URL, { role, databasePooler: pooled.pooler.databasePooler });
      expect(await sessionFault(pool)).toBeNull();
      const settings = await pool<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name = any(${Object.keys(roleSettings[role])})`;
      expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual(
        roleSettings[role],
      );
      expect(await findPooling(pool)).toBe('transaction');
      await requireDatabase(pool, role);
    }
  });

  test('a pool that names several poolers uses the one whose server accepts writes', async () => {
    const { DATABASE_URL } = pooled.environmentOf('launchwire_api');
    const nobody = '127.0.0.1:9';
    const pool = connect(DATABASE_URL.replace('@', `@${nobody},`), {
      role: 'launchwire_api',
      databasePooler: pooled.pooler.databasePooler,
    });
    const [row] = await pool`select 1 as one`;
    expect(row).toEqual({ one: 1 });
  });

  test('a login without the settings is refused', async () => {
    const pool = connect(pooled.ownerUrl, {
      role: 'launchwire_api',
      databasePooler: pooled.pooler.databasePooler,
    });
    expect(await refusalOf(pool, 'launchwire_api')).toContain('work as postgres instead of launchwire_api');
  });

  test('the api serves more requests at once than there are sessions', async () => {
    const api = await startTestApi({
      database,
      environment: { ...localWebhooks, ...pooled.environmentOf('launchwire_api') },
    });
    const key = await createTestKey(api.dependencies.database);
    const create = (idempotencyKey: string) =>
      fetch(`${api.baseUrl}/webhook-endpoints`, {
        method: 'POST',
        headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ url: 'http://127.0.0.1:8080/hook' }),
      });
    const repeated = await Promise.all(Array.from({ length: 20 }, () => create('pooled-once')));
    expect(repeated.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const several = await Promise.all(Array.from({ length: 12 }, (_, index) => create(`pooled-${index}`)));
    expect(several.map(({ status }) => status)).toEqual(several.map(() => 201));
    const lists = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        fetch(`${api.baseUrl}/${index % 2 === 0 ? 'webhook-endpoints' : 'events'}?limit=100`, {
          headers: key.header,
        }),
      ),
    );
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200));
    const [first] = await Promise.all(lists.map((list) => list.json() as Promise<{ data: unknown[] }>));
    expect(first?.data).toHaveLength(13);
    expect((await fetch(`${api.origin}/readyz`)).headers.get('content-type')).toContain('json');
    const [sessions] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where usename = ${pooled.logins.launchwire_api}`;
    expect(sessions?.count).toBeLessThanOrEqual(SESSIONS);
    await api.stop();
  });

  test('the internal API works', async () => {
    const internal = await startTestInternalApi({
      database,
      environment: pooled.environmentOf('launchwire_internal'),
    });
    const { header } = await createTestServiceKey(internal.owner);
    const upsert = () =>
      fetch(`${internal.baseUrl}/wallets`, {
        method: 'POST',
        headers: { ...header, 'content-type': 'application/json', 'idempotency-key': 'pooled-wallet' },
        body: JSON.stringify({
          address: 'So11111111111111111111111111111111111111112',
          username: 'pooled',
          verified: true,
        }),
      });
    const responses = await Promise.all(Array.from({ length: 8 }, upsert));
    expect(responses.some(({ ok }) => ok)).toBe(true);
    expect(responses.every(({ ok, status }) => ok || status === 409)).toBe(true);
  });

  test('a process that needs sessions of its own is refused with its reason', async () => {
    const dropping = await poolDatabase(database, { ignore_startup_parameters: DROPPED });
    const leads = 'DATABASE_URL leads to a connection pooler that shares sessions between transactions';
    for (const [role, reason] of [
      [
        'launchwire_worker',
        'the locks of the worker last as long as its work, and each would keep a shared session for itself',
      ],
      ['launchwire_relay', 'a lock of its session shows the others that a relay runs'],
    ] as const)
      expect(await refusalOf(connect(dropping.ownerUrl, { role }), role)).toContain(
        `${leads}, but ${reason}: name Postgres itself, or a pooler by session, ${PAGE}`,
      );
    expect(
      await refusalOf(connect(dropping.ownerUrl, { role: 'launchwire_api' }), 'launchwire_api'),
    ).toContain(`${leads}: set DATABASE_POOLER, ${PAGE}`);
    await expect(migrate(dropping.ownerUrl)).rejects.toThrow(`${leads}, but a lock of its session`);
  });

  test('one that passes on no start-up parameters is refused without DATABASE_POOLER', async () => {
    const pool = connect(pooled.ownerUrl, { role: 'launchwire_worker' });
    expect(await refusalOf(pool, 'launchwire_worker')).toContain(
      'DATABASE_URL names a connection pooler that refuses start-up parameters: set DATABASE_POOLER for api and internal, and name Postgres itself for all others',
    );
  });

  test('prepared statements need a pooler that keeps them', async () => {
    const role = 'launchwire_api';
    const { DATABASE_URL } = pooled.environmentOf(role);
    const pool = connect(DATABASE_URL, { role, databasePooler: 'transaction' });
    if (pooled.pooler.canKeepStatements) expect(await findPooling(pool)).toBe('transaction');
    else
      expect(await refusalOf(pool, role)).toContain(
        'keeps no prepared statements: set max_prepared_statements there (PgBouncer 1.21 or newer), or DATABASE_POOLER=transaction-unprepared',
      );
  });

  test('statements without names ask for their types once, and again after these have changed', async () => {
    const { DATABASE_URL } = pooled.environmentOf('launchwire_internal');
    const pool = connect(DATABASE_URL, {
      role: 'launchwire_internal',
      databasePooler: 'transaction-unprepared',
    });
    await database.sql.unsafe(
      `create table typed (value int); grant select, insert on typed to launchwire_internal`,
    );
    const insert = () => pool`insert into typed values (${1})`;
    await Promise.all([insert(), insert(), insert()]);
    await database.sql.unsafe('alter table typed alter column value type text using value::text');
    // A driver that goes on with the old type is refused once.
    await insert().catch(() => {});
    await insert();
    expect(await pool`select distinct value from typed`).toEqual([{ value: '1' }] as never);
    await expect(pool`select ${'x'}::int4`).rejects.toThrow('invalid input syntax');
    expect((await pool`select ${'7'}::int4 as seven`)[0]?.seven).toBe(7);
  });
});

/** The clients of three api and two internal processes; one of each is there for an upgrade. */
const CLIENTS = 3 * processConnections.api + 2 * processConnections.internal;

test('doctor adds up what the pooler opens and takes, and finds what it drops', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const budget = { counts: { api: 2, worker: 1, relay: 1, internal: 1 }, source: 'test', surge: 1 };
  const read = ({ pooler }: PooledDatabase) =>
    readPoolerLimits({}, pooler.urlOf('launchwire_stats', 'pgbouncer'), name);
  const limits = await read(pooled);
  expect(await checkPooler(owner, limits, budget)).toEqual({
    check: 'pooler',
    state: 'ok',
    detail: `${limits.version}, by transaction: at most ${CLIENTS} of 1000 clients, ${SESSIONS * 2} sessions, for DATABASE_POOLER=${pooled.pooler.databasePooler}`,
  });
  const { detail } = await checkConnections(owner, budget, sessionsOfPooler(limits, budget.counts));
  expect(detail).toStartWith(
    'worker 1 × 22, relay 1 × 9 (test), 1 more of each in an upgrade 31, pooler 6, migrate and admin 4',
  );

  const wrong = await poolDatabase(database, {
    max_client_conn: 20,
    query_wait_timeout: 120,
    ignore_startup_parameters: 'role,extra_float_digits,statement_timeout',
  });
  const found = await checkPooler(owner, await read(wrong), budget);
  expect(found).toEqual({
    check: 'pooler',
    state: 'failed',
    detail:
      `max_client_conn is 20: set it to ${CLIENTS} or more; query_wait_timeout is 120 s: a request ends after 12 s, set it to 5; ` +
      `ignore_startup_parameters drops role, statement_timeout in silence: remove it: ${PAGE}`,
  });
  const missing = readPoolerLimits({}, wrong.pooler.urlOf('launchwire_stats', 'pgbouncer'), 'another');
  await expect(missing).rejects.toThrow('[databases] has no entry for another');
});

test('a pooler by session is one for every process', async () => {
  const { pooler, ownerUrl } = await poolDatabase(database, { pool_mode: 'session', default_pool_size: 20 });
  const pool = connect(ownerUrl, { role: 'launchwire_worker', databasePooler: pooler.databasePooler });
  expect(await findPooling(pool)).toBe('session');
  expect(await findPooling(connect(database.url, { role: 'launchwire_worker' }))).toBe('none');
});

test('while the pooler has no session left, a statement fails with that reason', async () => {
  const { environmentOf, pooler } = await poolDatabase(database, {
    default_pool_size: 1,
    query_wait_timeout: 1,
  });
  const { DATABASE_URL } = environmentOf('launchwire_api');
  const pool = connect(DATABASE_URL, { role: 'launchwire_api', databasePooler: pooler.databasePooler });
  let refused: unknown;
  await pool.begin(async (holding) => {
    await holding`select 1`;
    refused = await pool`select 1`.then(() => 'served', databaseFailure);
  });
  expect(refused).toBe('pool_exhausted');
  expect(await pool`select 1 as one`).toHaveLength(1);
  await pooler.kill();
  expect(await pool`select 1`.then(() => 'served', databaseFailure)).toMatch(/^connection_(lost|refused)$/);
});

test('a pooler that is killed in the middle ends the request, and the next ones are served by its successor', async () => {
  const { environmentOf, pooler } = await poolDatabase(database);
  const { DATABASE_URL } = environmentOf('launchwire_internal');
  const pool = connect(DATABASE_URL, { role: 'launchwire_internal', databasePooler: pooler.databasePooler });
  await pool`select 1`;
  const open = pool.begin(async (transaction) => {
    await transaction`select 1`;
    await pooler.kill();
    await transaction`select 1`;
  });
  expect(await open.then(() => 'committed', databaseFailure)).toMatch(/^connection_(lost|refused)$/);
  const [{ hostname, port }, name] = [new URL(database.url), new URL(database.url).pathname.slice(1)];
  const { username, password } = new URL(DATABASE_URL);
  const successor = await startPgBouncer({
    dir: createTempDir('pgbouncer'),
    port: pooler.port,
    databases: { [name]: `host=${hostname} port=${port} dbname=${name}` },
    users: { [username]: password },
  });
  atEnd(() => successor.stop());
  await eventually('the successor', () => pool`select 1`.catch(() => null));
});

interface PooledDatabase {
  pooler: PgBouncerServer;
  /** Variables of a process that works through the pooler, with a login of its role. */
  environmentOf(role: PooledRole): { DATABASE_URL: string; DATABASE_POOLER: string };
  /** The same database for the owner, who has all rights and no limits. */
  ownerUrl: string;
  logins: Readonly<Record<PooledRole, string>>;
}

/** @param settings of PgBouncer, beside those of ops/pgbouncer/pgbouncer.ini */
async function poolDatabase(
  database: TestDatabase,
  settings: Record<string, string | number> = {},
): Promise<PooledDatabase> {
  const { hostname, port, username, password: ownerPassword, pathname } = new URL(database.url);
  const name = pathname.slice(1);
  const suffix = randomBytes(4).toString('hex');
  const password = randomBytes(8).toString('hex');
  const logins = { launchwire_api: `api_${suffix}`, launchwire_internal: `internal_${suffix}` };
  for (const [role, login] of Object.entries(logins)) await createLogin(database, { role, login, password });
  const pooler = await startPgBouncer({
    dir: createTempDir('pgbouncer'),
    databases: { [name]: `host=${hostname} port=${port} dbname=${name}` },
    users: {
      ...Object.fromEntries(Object.values(logins).map((login) => [login, password])),
      [username]: ownerPassword,
      launchwire_stats: password,
    },
    settings,
  });
  atEnd(() => pooler.stop());
  return {
    pooler,
    logins,
    environmentOf: (role) => ({
      DATABASE_URL: pooler.urlOf(logins[role], name),
      DATABASE_POOLER: pooler.databasePooler,
    }),
    ownerUrl: pooler.urlOf(username, name),
  };
}

/** As ops/postgres/users.sql makes them: a member of its role, with the role and its settings. */
async function createLogin(
  { sql }: TestDatabase,
  { role, login, password }: { role: string; login: string; password: string },
): Promise<void> {
  await sql.unsafe(`create user ${login} password '${password}' in role ${role}`);
  atEnd(async () => void (await sql.unsafe(`drop user ${login}`)));
  await sql.unsafe(`alter user ${login} set role = '${role}'`);
  const rows = await sql<{ change: string }[]>`
    select format('alter user %I set %I = %L', ${login}::text, split_part(setting, '=', 1),
      substr(setting, strpos(setting, '=') + 1)) as change
    from pg_db_role_setting s join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) as setting
    where s.setdatabase = 0 and r.rolname = ${role}`;
  for (const { change } of rows) await sql.unsafe(change);
}
