import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { entries } from '../../drizzle/meta/_journal.json';
import { migrate } from '../../src/db/migrate.ts';
import { lockTables } from '../../src/db/migration-locks.ts';
import { schemaName } from '../../src/db/schema-version.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { createDatabaseBefore } from '../support/database/earlier-database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';

const root = new URL('../../', import.meta.url).pathname;

test('the migrations make exactly the schema that the code declares', async () => {
  const folder = join(createTempDir('migrations'), 'drizzle');
  // drizzle-kit reads --out as relative to its working directory, absolute paths included.
  const out = relative(root, folder);
  cpSync(join(root, 'drizzle'), folder, { recursive: true });
  const before = readdirSync(folder).sort();
  const generate = Bun.spawn(
    [
      'bunx',
      'drizzle-kit',
      'generate',
      '--dialect',
      'postgresql',
      '--schema',
      './src/db/schema/*.ts',
      '--out',
      out,
    ],
    { cwd: root, stdout: 'pipe', stderr: 'pipe' },
  );
  const output = await new Response(generate.stdout).text();
  expect(await generate.exited).toBe(0);
  expect(output).toContain('No schema changes');
  expect(readdirSync(folder).sort()).toEqual(before);
});

test('applying the migrations again changes nothing', async () => {
  const { url, sql } = await createTestDatabase();
  const count = () => sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
  const before = await count();
  await Promise.all([migrate(url), migrate(url)]);
  expect(await count()).toEqual(before);
});

test('a database that has another version of a migration is refused in one sentence, and left unchanged', async () => {
  const { url, sql } = await createTestDatabase();
  await sql`update drizzle.__drizzle_migrations set hash = 'edited' where id = 1`;
  await expect(migrate(url)).rejects.toThrow(
    'it was made by another version of the migrations than the one in drizzle/',
  );
});

test('an earlier release accepts a database of a later one, and adds nothing', async () => {
  const { url, sql } = await createTestDatabase();
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9000000000000)`;
  expect(await migrateCommand(url)).toEqual({
    code: 0,
    lines: ['nothing to apply; the schema is at a migration of a later release (2255-03-14T16:00:00.000Z)'],
  });
});

describe('the command reports', () => {
  const [secondNewest, newest] = entries.slice(-2).map(({ tag }) => tag);

  test('every migration that it ran, and the schema before and after', async () => {
    const { url } = await createDatabaseBefore(newest ?? '');
    expect(await migrateCommand(url)).toEqual({
      code: 0,
      lines: [
        `${newest}: … ms`,
        `applied 1 migration; the schema was at ${secondNewest} and is at ${newest}`,
      ],
    });
    expect(await migrateCommand(url)).toEqual({
      code: 0,
      lines: [`nothing to apply; the schema is at ${newest}`],
    });
  });

  test('from the beginning, one of two that run at once, while the other waits', async () => {
    const { sql: admin, url: template } = await createTestDatabase();
    const name = `empty_${randomBytes(8).toString('hex')}`;
    await admin.unsafe(`create database ${name}`);
    atEnd(async () => void (await admin.unsafe(`drop database if exists ${name} with (force)`)));
    const url = withDatabase(template, name);
    const first = await heldTurn(url);
    const waiting = migrateCommand(url);
    await eventually('it waits', async () => (await first.waiters()) === 1);
    await first.end();
    expect(await waiting).toEqual({
      code: 0,
      lines: [
        'another process migrates this database: waiting for it',
        ...entries.map(({ tag }) => `${tag}: … ms`),
        `applied ${entries.length} migrations to a database without a schema; the schema is at ${newest}`,
      ],
    });
  });

  test('the migration that failed, and that it changed nothing', async () => {
    const { url, sql } = await createDatabaseBefore('0034_failing_since');
    const applied = () => sql`select max(created_at) as newest from drizzle.__drizzle_migrations`;
    // Another program has already created the objects of 0035.
    await sql`create index webhook_endpoints_erasable on webhook_endpoints (id)`;
    const { code, lines } = await migrateCommand(url);
    expect(code).toBe(1);
    expect(lines.slice(0, 2)).toEqual([
      '0034_failing_since: … ms',
      '0035_webhook_secrets_and_contacts failed and changed nothing: the schema is at 0034_failing_since',
    ]);
    const when = entries.find(({ tag }) => tag === '0034_failing_since')?.when;
    expect([...(await applied())]).toEqual([{ newest: String(when) }]);
    await sql`drop index webhook_endpoints_erasable`;
    expect((await migrate(url)).before).toBe('0034_failing_since');
  });
});

async function migrateCommand(databaseUrl: string) {
  const { code, output } = await runBun(['src/db/main.ts'], { DATABASE_URL: databaseUrl });
  return {
    code,
    lines: output
      .trim()
      .replace(/: \d+ ms$/gm, ': … ms')
      .split('\n'),
  };
}

describe('a migration and a request that hold a table each, and need that of the other', () => {
  // In the order in which requests create endpoints, and in the other one.
  test.each([
    ['webhook_endpoints', 'stream_log'],
    ['stream_log', 'webhook_endpoints'],
  ])('let the request through: it has %s and needs %s', async (held = '', needed = '') => {
    const { url, sql } = await createDatabaseBefore('0053_followed_trades');
    const busy: string[] = [];
    const waits = async () => {
      const [row] = await sql`select count(*)::int as count from pg_locks where not granted
        and relation = ${held}::regclass`;
      return row?.count === 1;
    };
    const [migrated] = await sql.begin(async (request) => {
      await request`lock table ${request(held)} in row exclusive mode`;
      const migrating = migrate(url, { busy: (name) => busy.push(name) });
      await eventually('the migration waits for the request', waits);
      await request`lock table ${request(needed)} in row exclusive mode`;
      await eventually('the migration gives up', async () => busy.length > 0);
      return [migrating];
    });
    expect((await migrated).before).toBe('0052_token_traders');
    expect(new Set(busy)).toEqual(new Set(['0053_followed_trades']));
  });
});

/** The earlier ones were applied before any release that runs on without them. */
const FIRST_LOCKED = '0040_send_routes';
/** Modes that wait for writers, weakest first. */
const LOCK_MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

test('each migration locks at its beginning all that it locks', async () => {
  const { url, sql } = await createDatabaseBefore(FIRST_LOCKED);
  const until = entries.find(({ tag }) => tag === FIRST_LOCKED)?.when ?? 0;
  const pending = readMigrationFiles({ migrationsFolder: join(root, 'drizzle') }).filter(
    ({ folderMillis }) => folderMillis >= until,
  );
  const migrator = postgres(url, { max: 1, onnotice: () => {} });
  atEnd(() => migrator.end());
  const late: object[] = [];
  for (const { sql: statements, folderMillis } of pending) {
    const tables = await sql<{ oid: number }[]>`
      select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
    await migrator.begin(async (transaction) => {
      const locks = () => transaction<{ table: string; strength: number }[]>`
        select relation::regclass::text as table, max(array_position(${LOCK_MODES}, mode)) as strength
        from pg_locks where pid = pg_backend_pid() and relation = any(${tables.map(({ oid }) => oid)})
          and mode = any(${LOCK_MODES}) group by 1`;
      await lockTables(transaction, statements);
      const first = new Map((await locks()).map(({ table, strength }) => [table, strength]));
      for (const statement of statements) await transaction.unsafe(statement);
      for (const { table, strength } of await locks())
        if (strength > (first.get(table) ?? 0)) late.push({ migration: schemaName(folderMillis), table });
    });
  }
  expect(late).toEqual([]);
});

/** Takes the turn of migrating, as another process would. */
async function heldTurn(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`select pg_advisory_lock(7201953)`;
  return {
    end: () => sql.end(),
    waiters: async () => {
      const [row] =
        await sql`select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      return row?.count;
    },
  };
}

test('every index, check and key that the code declares is in the database, partitioned tables included', async () => {
  const { sql } = await createTestDatabase();
  const { tables } = JSON.parse(
    readFileSync(
      join(root, 'drizzle/meta', readdirSync(join(root, 'drizzle/meta')).sort().at(-2) ?? ''),
      'utf8',
    ),
  ) as { tables: Record<string, Record<string, Record<string, unknown> | string>> };
  for (const [name, table] of Object.entries(tables)) {
    const declared = new Set(
      ['indexes', 'foreignKeys', 'compositePrimaryKeys', 'uniqueConstraints', 'checkConstraints'].flatMap(
        (kind) => Object.keys(table[kind] ?? {}),
      ),
    );
    const found = await sql<{ name: string }[]>`
      select conname as name from pg_constraint where conrelid = ${name}::regclass and contype not in ('n', 't')
      union select relname from pg_class join pg_index on indexrelid = pg_class.oid where indrelid = ${name}::regclass`;
    const names = found.map((row) => row.name).filter((one) => !one.endsWith('_pkey'));
    expect({ name, names: names.sort() }).toEqual({ name, names: [...declared].sort() });
  }
});

test('rows of a database from before the partitions are kept', async () => {
  const { url, sql: old } = await createDatabaseBefore('0003_partitions');
  await old`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at,
      updated_at) values ('m', 'w', 'n', 's', 6, 1, 'dbc', 'bonding', now(), now())`;
  await old`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
      transaction_index, outer_index, inner_index, block_time, transaction_signature)
    select gen_random_uuid(), 'm', 'buy', 'w', 1, 1, 1, n * 9000000, 0, 0, 0, now(), 's' from generate_series(1, 4) n`;
  await old`
    insert into events (id, type, subject, body, created_at) values (${Bun.randomUUIDv7()}, 't', 's', '{}', now())`;
  const before = await old`select * from trades order by id`;
  await migrate(url);
  // Columns that came later are null.
  const after = [...(await old`select * from trades order by id`)];
  expect(after).toEqual(before.map((row) => ({ ...row, on_curve: null })));
  const [rows] = await old`
    select (select count(*)::int from events) as events, (select count(*)::int from only events_default) as homeless_events,
      (select count(*)::int from only trades_default) as homeless_trades`;
  expect(rows).toEqual({ events: 1, homeless_events: 0, homeless_trades: 0 });
});
