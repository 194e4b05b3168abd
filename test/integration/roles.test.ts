import { beforeAll, describe, expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { untilDatabaseReachable } from '../../src/db/require-database.ts';
import { type DatabaseRole, databaseRoles } from '../../src/db/roles.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';

let database: TestDatabase;
const pools = {} as Record<DatabaseRole, Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const role of databaseRoles) {
    pools[role] = connectDatabase(database.url, { applicationName: 'test', connections: 1, role });
    atEnd(() => pools[role].end({ timeout: 1 }));
  }
});

/** S, I, U, D on the whole table; columns in parentheses where only those are open. Nothing where a role is absent. */
type Rights = { api?: string; worker?: string; relay?: string; internal?: string };

const EVENT = 'account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type';
const REPLAY = 'next_attempt_at, replay_count, schedule_index, status, updated_at';

/** Every table of the schema: a new one without a line here fails. */
const matrix: Readonly<Record<string, Rights>> = {
  accounts: { api: 'S U(created_at)', internal: 'S(id)' },
  api_keys: { api: 'S' },
  candles: { api: 'S', worker: 'S I U D' },
  events: {
    api: `I(${EVENT})`,
    worker: `S I(${EVENT}) U(published_at)`,
    relay: `S I(${EVENT}) U(fanned_out_at)`,
    internal: `I(${EVENT})`,
  },
  fee_claimables: { api: 'S', worker: 'S I U' },
  fee_claims: { worker: 'S I U(status)' },
  fee_distributions: { api: 'S', worker: 'S I' },
  fee_pools: { worker: 'S I U' },
  fee_positions: { worker: 'S I' },
  fee_states: { api: 'S', worker: 'S I U' },
  fee_totals: { api: 'S', worker: 'S I U' },
  holder_accounts: { worker: 'S I U D' },
  holder_counting: { worker: 'S I U' },
  holder_stats: { api: 'S', worker: 'S I U' },
  idempotency_records: { api: 'S I U', worker: 'S(account_id, expires_at, key) U(expires_at) D' },
  indexer_cursors: { worker: 'S I U' },
  token_pools: { worker: 'S I U' },
  intent_broadcasts: { api: 'I', worker: 'S U(misanswered, next_send_at, send_count) D' },
  launches: { api: 'S I', worker: 'S U(completed_at, status)' },
  liquidity_locks: { api: 'S', worker: 'S I U' },
  operation_deliveries: { worker: 'S I D', internal: 'S(operation_id) D' },
  operation_holders: { worker: 'S I D', internal: 'S(operation_id) D' },
  operation_result_chunks: { api: 'S', worker: 'S I D', internal: 'S(operation_id) D' },
  operation_results: { api: 'S', worker: 'S I U(expires_at) D', internal: 'S(expires_at, operation_id)' },
  operation_token_accounts: { worker: 'S I D', internal: 'S(operation_id) D' },
  operations: {
    api: 'S I(account_id, created_at, due_at, id, input, kind, status)',
    worker: 'S U',
    internal:
      'S I(account_id, created_at, due_at, id, input, kind, status) U(cancel_requested_at, checkpoint, completed_at, due_at, error_code, error_detail, error_request_id, lease_token, progress_completed, progress_total, progress_unit, result_url, started_at, status)',
  },
  prediction_intents: { api: 'S U(consumed_by)' },
  prediction_rounds: {
    api: 'S U(updated_at)',
    worker: 'S U',
    internal:
      'S I(created_at, id, locks_at, minimum_balance_raw, mint_address, opens_at, prize_pool_lamports, requires_delegated_intent, settles_at, status, updated_at) U(status, updated_at, void_reason)',
  },
  predictions: {
    api: 'S I',
    worker: 'S U(distance_ppm, payout_lamports, rank, status)',
    internal: 'S(round_id, status) U(status)',
  },
  presale_movements: { worker: 'S I' },
  presale_participations: { api: 'S', worker: 'S I U' },
  presales: {
    api: 'S',
    worker: 'S U',
    internal:
      'S I(burn_bps, created_at, creator_commitment_lamports, deadline, id, max_cap_lamports, min_cap_lamports, mint_address, participant_count, per_wallet_cap_lamports, pool_bps, public_start_at, sale_bps, status, total_deposited_lamports, updated_at) U(status, updated_at)',
  },
  reverted_trades: { worker: 'S I U(reverted_at) D' },
  source_proofs: { api: 'S', worker: 'S I U' },
  service_keys: { internal: 'S' },
  service_responses: {
    worker: 'S(expires_at, key, service_key_id) U(expires_at) D',
    internal: 'S I U',
  },
  staking_pools: { api: 'S', worker: 'S I U' },
  staking_positions: { api: 'S', worker: 'S I U' },
  staking_sums: { api: 'S', worker: 'S I U' },
  staking_totals: { api: 'S', worker: 'S I U D' },
  token_markets: { api: 'S I(as_of, mint_address)', worker: 'S I U', internal: 'S I(as_of, mint_address)' },
  tokens: {
    api:
      'S I(created_at, creator_wallet, decimals, description, image_url, launch_type, listed, mint_address, name, status, ' +
      'symbol, telegram, total_supply, twitter, updated_at, website)',
    worker: 'S I U',
    internal:
      'S I(announce_history, created_at, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, image_url, launch_type, launched_at, mint_address, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website) U(announce_history, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, hidden, image_url, launch_type, launched_at, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website)',
  },
  trade_floor: { worker: 'S' },
  trades: { api: 'S', worker: 'S I D' },
  transaction_intents: {
    api:
      'S I(account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, policy, ' +
      'prepared_transaction, recent_blockhash, signature_offset, status, version) ' +
      'U(signed_transaction, status, submitted_at, version)',
    worker: 'S U(completed_at, error_code, error_detail, status, transaction_signature, version)',
    internal:
      'S I(account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, policy, prepared_transaction, recent_blockhash, signature_offset, status, version)',
  },
  wallets: { api: 'S', internal: 'S I U(updated_at, username, verified)' },
  webhook_attempts: {
    api:
      'S(attempt_number, connect_ms, delivery_id, dns_ms, error_code, finished_at, first_byte_ms, redirect_count, ' +
      'response_body, response_status, started_at, succeeded, tls_ms, total_ms)',
    relay: 'S I U',
  },
  webhook_deliveries: {
    api: `S U(${REPLAY})`,
    worker: `S U(${REPLAY}) D`,
    relay:
      'S I U(attempt_count, delivered_at, last_error_code, lease_expires_at, next_attempt_at, response_status, ' +
      'schedule_index, status, updated_at)',
  },
  webhook_endpoints: {
    api: 'S I U',
    worker: 'S(account_id, deleted_at, id, status)',
    relay: 'S U(disabled_reason, paused_until, status, updated_at, version)',
  },
};

const LETTERS = { SELECT: 'S', INSERT: 'I', UPDATE: 'U', DELETE: 'D' } as const;

/** What a role may do with a table, in the notation of the matrix; unknown privileges by their names. */
async function rightsOf(role: DatabaseRole, table: string): Promise<string> {
  const whole = await database.sql<{ privilege: string }[]>`
    select privilege from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
      with ordinality as p (privilege, at)
    where has_table_privilege(${role}, ${`public.${table}`}, privilege) order by at`;
  const columns = await database.sql<{ privilege: string; names: string }[]>`
    select privilege, string_agg(attname, ', ' order by attname collate "C") as names
    from unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as privilege, pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped
      and has_column_privilege(${role}, attrelid, attnum, privilege)
      and not has_table_privilege(${role}, attrelid, privilege)
    group by privilege`;
  const texts = new Map<string, string>(whole.map(({ privilege }) => [privilege, privilege]));
  for (const { privilege, names } of columns) texts.set(privilege, `${privilege}(${names})`);
  const order = [...Object.keys(LETTERS), ...[...texts.keys()].filter((name) => !(name in LETTERS))];
  return order
    .flatMap((name) => texts.get(name) ?? [])
    .map((text) => text.replace(/^[A-Z]+/, (name) => LETTERS[name as keyof typeof LETTERS] ?? name))
    .join(' ');
}

describe('what each role may do', () => {
  test('is exactly the matrix, for every table there is', async () => {
    const tables = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition order by relname collate "C"`;
    const found: Record<string, Rights> = {};
    for (const { name } of tables) {
      const entry: Rights = {};
      for (const process of ['api', 'worker', 'relay', 'internal'] as const) {
        const rights = await rightsOf(`launchwire_${process}`, name);
        if (rights !== '') entry[process] = rights;
      }
      found[name] = entry;
    }
    expect(found).toEqual(matrix);
  });

  test('is nothing with partitions themselves, which are reached by way of their table', async () => {
    await pools.launchwire_worker`select make_next_partition('trades', 385000000)`;
    const partitions = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relispartition and relkind = 'r'`;
    expect(partitions.length).toBeGreaterThan(10);
    for (const { name } of partitions)
      for (const role of databaseRoles) expect(`${name}: ${await rightsOf(role, name)}`).toBe(`${name}: `);
  });

  test('includes three functions, for the worker: make, drop and count partitions', async () => {
    const functions = await database.sql`
      select r.role, p.proname as name from unnest(${[...databaseRoles]}::text[]) as r (role), pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'EXECUTE')
      order by p.proname`;
    expect([...functions]).toEqual(
      ['default_partition_rows', 'drop_next_partition', 'make_next_partition'].map((name) => ({
        role: 'launchwire_worker',
        name,
      })),
    );
    const definers = await database.sql`
      select proname as name, proconfig[1] as path from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef order by proname`;
    expect([...definers]).toEqual(
      functions.map(({ name }) => ({ name, path: 'search_path=pg_catalog, pg_temp' })),
    );
  });

  test.each([
    ["drop_next_partition('events', now(), 7)", 'events are kept for at least 8 days'],
    ["drop_next_partition('events', now(), null)", 'events are kept for at least 8 days'],
    ["drop_next_partition('events', null, 30)", 'events are kept for at least 8 days'],
    ["drop_next_partition('trades', now(), 29)", 'trades are kept for at least 30 days'],
    ["drop_next_partition('accounts', now(), 30)", 'no partitioned table is called accounts'],
    ["drop_next_partition('events; drop table accounts', now(), 30)", 'no partitioned table is called'],
    ["make_next_partition('accounts')", 'no partitioned table is called accounts'],
    ['make_next_partition(null)', 'no partitioned table is called'],
  ])('refuses the worker %s', async (call, reason) => {
    await expect(pools.launchwire_worker.unsafe(`select ${call}`).execute()).rejects.toThrow(reason);
  });

  test('ends there: no other sequence, function, schema or attribute, and nothing for everybody', async () => {
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
    ['launchwire_api', 'select from events'],
    ['launchwire_api', 'insert into events (published_at) values (now())'],
    ['launchwire_api', 'update operations set status = status'],
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

  test('works in several databases of a cluster at once, and closes each to everybody', async () => {
    const suffix = crypto.randomUUID().slice(0, 8);
    const names = [1, 2, 3].map((at) => `roles_${suffix}_${at}`);
    const urls: string[] = [];
    for (const name of names) urls.push(await freshDatabase(name));
    await Promise.all(urls.map(migrate));
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
      'no member of launchwire_api',
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
    const admin = await runBun(['src/admin.ts', 'key', 'create', ...newKey], { DATABASE_URL: url.href });
    expect(admin).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^permission denied .*must log in the owner/),
    });
  });
});
