import { beforeAll, describe, expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { grants, readGrants, readRights } from '../../src/db/grants.ts';
import { migrate } from '../../src/db/migrate.ts';
import { untilDatabaseReachable } from '../../src/db/require-database.ts';
import { type DatabaseRole, databaseRoles } from '../../src/db/roles.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';

let database: TestDatabase;
const pools = {} as Record<DatabaseRole, Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const role of databaseRoles) {
    pools[role] = connectDatabase(database.url, { applicationName: 'test', connections: 1, role });
    atEnd(() => pools[role].end({ timeout: 1 }));
  }
});

describe('the rights of each role', () => {
  test('are exactly the matrix, for every table', async () => {
    expect(await readGrants(pools.launchwire_api)).toEqual(grants);
  });

  test('do not include partitions, which are reached through their table', async () => {
    await pools.launchwire_worker`select make_next_partition('trades', 385000000)`;
    const partitions = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relispartition and relkind = 'r'`;
    expect(partitions.length).toBeGreaterThan(10);
    for (const { name } of partitions)
      for (const role of databaseRoles)
        expect(`${name}: ${await readRights(pools.launchwire_api, role, name)}`).toBe(`${name}: `);
  });

  test('include the functions of partitions, of the ingest position and of the log of streams, for the roles that need them', async () => {
    const functions = await database.sql`
      select p.proname as name, string_agg(substr(r.role, 12), ' ' order by r.role) as roles
      from unnest(${[...databaseRoles]}::text[]) as r (role), pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'EXECUTE')
      group by p.proname order by p.proname`;
    expect([...functions]).toEqual([
      { name: 'cancel_operation', roles: 'api' },
      { name: 'database_history', roles: 'worker' },
      { name: 'default_partition_rows', roles: 'worker' },
      { name: 'delete_trade_events', roles: 'worker' },
      { name: 'delete_unsigned_launches', roles: 'worker' },
      { name: 'drop_next_partition', roles: 'worker' },
      { name: 'erase_webhook_secrets', roles: 'worker' },
      { name: 'event_horizon', roles: 'api' },
      { name: 'event_place', roles: 'api internal relay worker' },
      { name: 'ingest_epoch', roles: 'worker' },
      { name: 'is_intent_whole', roles: 'api internal worker' },
      { name: 'make_next_partition', roles: 'worker' },
      { name: 'read_stream_page', roles: 'api worker' },
      { name: 'replication_position', roles: 'api' },
      { name: 'revoke_api_key', roles: 'api' },
      { name: 'similar_tokens', roles: 'api' },
      // A check of the rows that they write, which reads nothing: it needs no rights of the owner.
      { name: 'trim_stream_log', roles: 'worker' },
    ]);
    const definers = await database.sql`
      select proname as name, proconfig[1] as path from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef order by proname`;
    // Trigger functions, which no role calls.
    const triggers = await database.sql`
      select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.prosecdef`;
    const names = [...functions, ...triggers]
      .map(({ name }) => name)
      .filter((name) => name !== 'is_intent_whole');
    expect([...definers]).toEqual(
      names.toSorted().map((name) => ({ name, path: 'search_path=pg_catalog, pg_temp' })),
    );
  });

  test.each([
    ["drop_next_partition('events', now(), 7)", 'events are kept for at least 8 days'],
    ["drop_next_partition('events', now(), null)", 'events are kept for at least 8 days'],
    ["drop_next_partition('events', null, 30)", 'events are kept for at least 8 days'],
    [
      "delete_trade_events('ffffffff-ffff-7000-8000-000000000000', 1)",
      'events of trades are kept for at least 7 days',
    ],
    ["drop_next_partition('trades', now(), 29)", 'trades are kept for at least 30 days'],
    ["drop_next_partition('accounts', now(), 30)", 'no partitioned table is called accounts'],
    ["drop_next_partition('events; drop table accounts', now(), 30)", 'no partitioned table is called'],
    ["make_next_partition('accounts')", 'no partitioned table is called accounts'],
    ['make_next_partition(null)', 'no partitioned table is called'],
  ])('refuse the worker %s', async (call, reason) => {
    await expect(pools.launchwire_worker.unsafe(`select ${call}`).execute()).rejects.toThrow(reason);
  });

  test('end there: no other sequence, function, schema or attribute, and no right for PUBLIC', async () => {
    const { sql } = database;
    const sequences = await sql`
      select r.role, c.relname as name from unnest(${[...databaseRoles]}::text[]) as r (role), pg_class c
      where c.relkind = 'S' and has_sequence_privilege(r.role, c.oid, 'USAGE, SELECT, UPDATE')`;
    expect([...sequences]).toEqual([
      { role: 'launchwire_worker', name: 'operation_token_accounts_ordinal_seq' },
    ]);
    const everybody = await sql`
      select relname as name from pg_class, aclexplode(relacl) as acl
        where relnamespace = 'public'::regnamespace and acl.grantee = 0
      union all select proname from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
        where pronamespace = 'public'::regnamespace and acl.grantee = 0
      union all select nspname from pg_namespace, aclexplode(nspacl) as acl where nspname in ('public', 'drizzle')
        and acl.grantee = 0`;
    expect([...everybody]).toEqual([]);
    const granted = await sql`
      select 1 from pg_default_acl, aclexplode(defaclacl) as acl where acl.grantee <> defaclrole`;
    expect([...granted]).toEqual([]);
    const creators = await sql`
      select role from unnest(${[...databaseRoles]}::text[]) as role
      where has_schema_privilege(role, 'public', 'CREATE') or has_schema_privilege(role, 'drizzle', 'USAGE')`;
    expect([...creators]).toEqual([]);
    const attributes = await sql`
      select rolname from pg_roles where rolname = any(${[...databaseRoles]}) and (rolcanlogin or rolsuper or
        rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)`;
    expect([...attributes]).toEqual([]);
  });

  test.each([
    ['launchwire_relay', 'select secret_hash from api_keys'],
    ['launchwire_relay', 'select from transaction_intents'],
    ['launchwire_relay', "update webhook_endpoints set sealed_secret = ''"],
    ['launchwire_api', 'delete from events'],
    ['launchwire_api', "insert into stream_log (kind, at) values ('token', now())"],
    ['launchwire_relay', "select read_stream_page(0, 1, array['token'])"],
    ['launchwire_api', 'update token_rankings set listed = true'],
    ['launchwire_api', 'select from events_to_fan_out'],
    ['launchwire_api', 'delete from events_to_publish'],
    ['launchwire_relay', 'delete from events_to_publish'],
    ['launchwire_api', 'update operations set status = status'],
    ['launchwire_api', 'update api_keys set revoked_at = null'],
    ['launchwire_worker', 'select sealed_secret from webhook_endpoints'],
    ['launchwire_worker', 'select response_body from idempotency_records'],
    ['launchwire_worker', 'select from api_keys'],
    ['launchwire_worker', 'update predictions set predicted_price_in_sol = 1'],
    ['launchwire_api', 'create table public.mine ()'],
    ['launchwire_worker', 'drop table events_default'],
    ['launchwire_worker', 'alter table events detach partition events_default'],
    ['launchwire_worker', 'select from trades_default'],
    ['launchwire_worker', 'select drop_trades(now())'],
    ['launchwire_relay', "select drop_next_partition('events', now(), 30)"],
    ['launchwire_api', "select make_next_partition('events')"],
    ['launchwire_worker', 'update trade_floor set slot = 1'],
    ['launchwire_internal', 'select from api_keys'],
    ['launchwire_internal', 'update service_keys set revoked_at = null'],
    ['launchwire_internal', 'select from idempotency_records'],
    ['launchwire_internal', 'select from webhook_endpoints'],
    ['launchwire_internal', 'update transaction_intents set status = status'],
    ['launchwire_internal', 'update token_markets set price_in_sol = 1'],
    ['launchwire_internal', 'delete from predictions'],
    ['launchwire_api', 'select from service_keys'],
    ['launchwire_worker', 'select response_body from service_responses'],
  ] as const)('%s is refused: %s', async (role, statement) => {
    await expect(pools[role].unsafe(statement).execute()).rejects.toMatchObject({ code: '42501' });
  });
});

describe('making the roles', () => {
  /** A fresh database without the template, migrated as a deployment is. */
  async function freshDatabase(name: string): Promise<string> {
    await database.sql.unsafe(`create database ${name}`);
    atEnd(async () => void (await database.sql.unsafe(`drop database if exists ${name} with (force)`)));
    return withDatabase(database.url, name);
  }

  test('works in several databases of a cluster at once, and closes each to PUBLIC', async () => {
    const suffix = crypto.randomUUID().slice(0, 8);
    const names = [1, 2, 3].map((at) => `roles_${suffix}_${at}`);
    const urls: string[] = [];
    for (const name of names) urls.push(await freshDatabase(name));
    await Promise.all(urls.map((url) => migrate(url)));
    const open = await database.sql`
      select datname from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) as acl
      where datname = any(${names}) and acl.grantee = 0`;
    expect([...open]).toEqual([]);
  });

  test('a login that is no member of the role is reported, once', async () => {
    const login = `roles_login_${crypto.randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`create user ${login} password 'roles-test'`);
    atEnd(async () => void (await database.sql.unsafe(`drop user if exists ${login}`)));
    const url = new URL(database.url);
    url.username = login;
    url.password = 'roles-test';
    const connect = (role: DatabaseRole) => {
      const pool = connectDatabase(url.href, { applicationName: 'test', connections: 1, role });
      atEnd(() => pool.end({ timeout: 1 }));
      return pool;
    };
    const how = { log: silentLog, signal: new AbortController().signal };
    await expect(untilDatabaseReachable(connect('launchwire_api'), 'launchwire_api', how)).rejects.toThrow(
      'not a member of launchwire_api',
    );
    await database.sql.unsafe(`grant launchwire_api to ${login}`);
    const pool = connect('launchwire_api');
    await untilDatabaseReachable(pool, 'launchwire_api', how);
    await expect(pool.unsafe('set role launchwire_worker').execute()).rejects.toMatchObject({
      code: '42501',
    });
    await pool`reset role`;
    await expect(pool`delete from events`.execute()).rejects.toMatchObject({ code: '42501' });
    const newKey = ['--account', 'new', '--wallet', newAddress(), '--scopes', 'all'];
    const admin = await runAdmin(['key', 'create', ...newKey], { DATABASE_URL: url.href });
    expect(admin).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^permission denied .*must log in as the owner/),
    });
  });
});
