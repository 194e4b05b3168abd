import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { entries } from '../../drizzle/meta/_journal.json';
import { createMissingFunctions, readTexts } from '../../src/db/functions-and-views.ts';
import { migrate } from '../../src/db/migrate.ts';
import { lockTables } from '../../src/db/migration-locks.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
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
    lines: [
      'nothing to apply; the schema is at a migration of a later release (2255-03-14T16:00:00.000Z), whose functions and views stay',
    ],
  });
});

describe('the command reports', () => {
  const newest = entries.at(-1)?.tag;

  test('that there is nothing to apply', async () => {
    const { url } = await createTestDatabase();
    expect(await migrateCommand(url)).toEqual({
      code: 0,
      lines: [`nothing to apply; the schema is at ${newest}`],
    });
  });

  test('the functions that it replaced', async () => {
    const { url, sql } = await createTestDatabase();
    await sql`update drizzle.functions set hash = 'earlier' where name in ('event_place', 'log_order')`;
    expect(await migrateCommand(url)).toEqual({
      code: 0,
      lines: [`replaced event_place, log_order; the schema is at ${newest}`],
    });
  });

  test('from the beginning, one of two that run at once, while the other waits', async () => {
    const { url } = await emptyDatabase();
    const first = await heldTurn(url);
    const waiting = migrateCommand(url);
    await eventually('it waits', async () => (await first.waiters()) === 1);
    await first.end();
    const count = entries.length === 1 ? '1 migration' : `${entries.length} migrations`;
    expect(await waiting).toEqual({
      code: 0,
      lines: [
        'another process migrates this database: waiting for it',
        ...entries.map(({ tag }) => `${tag}: … ms`),
        `applied ${count} to a database without a schema; the schema is at ${newest}`,
      ],
    });
  });

  test('the migration that failed, and that it changed nothing', async () => {
    const { url, sql } = await emptyDatabase();
    // Another program has already created what the first migration makes.
    await sql`create table accounts (id int)`;
    const { code, lines } = await migrateCommand(url);
    expect(code).toBe(1);
    expect(lines[0]).toBe('0000_baseline failed and changed nothing: the database has no schema yet');
    expect([...(await sql`select relname from pg_class where relname in ('tokens', 'accounts')`)]).toEqual([
      { relname: 'accounts' },
    ]);
    await sql`drop table accounts`;
    expect((await migrate(url)).before).toBeNull();
  });
});

async function emptyDatabase() {
  const { sql: admin, url: template } = await createTestDatabase();
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await admin.unsafe(`create database ${name}`);
  atEnd(async () => void (await admin.unsafe(`drop database if exists ${name} with (force)`)));
  const url = withDatabase(template, name);
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  atEnd(() => sql.end({ timeout: 1 }));
  return { url, sql };
}

test('of several migrations those before the one that failed stay, and the next call begins with it', async () => {
  const { url, sql } = await createTestDatabase();
  const before = entries.at(-1)?.tag ?? '';
  const folder = migrationsWith({
    migrations: {
      '9001_first': 'create table first_addition (id int)',
      '9002_second':
        'create table second_addition (id int);--> statement-breakpoint\ncreate index present on first_addition (id)',
    },
  });
  await sql`create table taken (id int)`;
  await sql`create index present on taken (id)`;
  const seen: string[] = [];
  const observer = {
    ran: (name: string) => void seen.push(`${name} ran`),
    failed: (name: string, schema: string | null) => void seen.push(`${name} failed at ${schema}`),
  };
  await expect(migrate(url, observer, folder)).rejects.toThrow('already exists');
  expect(seen).toEqual(['9001_first ran', '9002_second failed at 9001_first']);
  expect(await sql`select to_regclass('second_addition') as found`).toMatchObject([{ found: null }]);
  await sql`drop table taken`;
  expect(await migrate(url, observer, folder)).toMatchObject({
    before: '9001_first',
    after: '9002_second',
    applied: ['9002_second'],
  });
  expect(await migrate(url, {}, folder)).toEqual({
    before: '9002_second',
    after: '9002_second',
    applied: [],
    replaced: [],
    isOfLater: false,
  });
  expect(before).not.toBe('9001_first');
});

describe('the functions of the database', () => {
  const functionText = (body: string) =>
    `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ ${body} $$;`;
  const answer = async (sql: postgres.Sql) => (await sql`select answer()`)[0]?.answer;

  test('are exactly those of the files, one of each name', async () => {
    const { sql } = await createTestDatabase();
    const rows = await sql<{ name: string }[]>`
      select proname as name from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e') order by 1`;
    const files = readTexts(join(root, 'drizzle')).filter(({ kind }) => kind === 'function');
    expect(rows.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
  });

  test('get a changed text, after the migrations that it needs, and keep it at the next call', async () => {
    const { url, sql } = await createTestDatabase();
    const first = migrationsWith({ functions: { answer: functionText('select 1') } });
    expect(await migrate(url, {}, first)).toMatchObject({ applied: [], replaced: ['answer'] });
    expect(await answer(sql)).toBe(1);
    expect(await migrate(url, {}, first)).toMatchObject({ replaced: [] });
    const second = migrationsWith({
      migrations: {
        '9001_answers':
          'create table answers (n int default answer());--> statement-breakpoint\ninsert into answers values (2)',
      },
      functions: { answer: functionText('select max(n) from answers') },
    });
    expect(await migrate(url, {}, second)).toMatchObject({
      applied: ['9001_answers'],
      replaced: ['views', 'answer'],
    });
    expect(await answer(sql)).toBe(2);
    // A release from before does not take it back.
    await migrate(url, {}, first);
    expect(await answer(sql)).toBe(2);
  });

  test('have the rights of their text, and no earlier ones', async () => {
    const { url, sql } = await createTestDatabase();
    const grant = 'GRANT EXECUTE ON FUNCTION answer() TO launchwire_api;';
    const mayCall = async () =>
      (await sql`select has_function_privilege('launchwire_api', 'answer()', 'execute') as granted`)[0]
        ?.granted;
    for (const isGranted of [true, false]) {
      const text = `${functionText('select 1')}${isGranted ? grant : ''}`;
      await migrate(url, {}, migrationsWith({ functions: { answer: text } }));
      expect(await mayCall()).toBe(isGranted);
    }
  });

  test('are refused with other parameters, because two of one name would break their callers', async () => {
    const { url, sql } = await createTestDatabase();
    await migrate(url, {}, migrationsWith({ functions: { answer: functionText('select 1') } }));
    const other = functionText('select 2').replace('answer()', "answer(why text DEFAULT '')");
    await expect(migrate(url, {}, migrationsWith({ functions: { answer: other } }))).rejects.toThrow(
      'drizzle/functions/answer.sql: the database has a function of this name with other parameters',
    );
    expect(await answer(sql)).toBe(1);
  });

  test('stay as they are, all of them, when one text is wrong', async () => {
    const { url, sql } = await createTestDatabase();
    await migrate(url, {}, migrationsWith({ functions: { answer: functionText('select 1') } }));
    const wrong = migrationsWith({
      functions: {
        answer: functionText('select 2'),
        broken: 'CREATE OR REPLACE FUNCTION event_place() RETURNS int',
      },
    });
    await expect(migrate(url, {}, wrong)).rejects.toThrow('drizzle/functions/broken.sql: ');
    expect(await answer(sql)).toBe(1);
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

test('an owner who is no superuser makes a database, and gives a function another text in a later session', async () => {
  const { sql: admin, url: template } = await createTestDatabase();
  const name = `owned_${randomBytes(8).toString('hex')}`;
  await admin.unsafe(`create role ${name} login createdb createrole password 'owner'`);
  await admin.unsafe(`create database ${name} owner ${name}`);
  atEnd(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`drop role ${name}`);
  });
  const address = new URL(withDatabase(template, name));
  address.username = name;
  address.password = 'owner';
  expect((await migrate(address.href)).before).toBeNull();
  const sql = postgres(address.href, { max: 1 });
  atEnd(() => sql.end({ timeout: 1 }));
  await sql`update drizzle.functions set hash = 'earlier' where name in ('similar_tokens', 'views')`;
  expect((await migrate(address.href)).replaced).toEqual(['views', 'similar_tokens']);
});

test('a new database begins its log on the timeline of its server', async () => {
  const { sql } = await createTestDatabase();
  const [row] = await sql`
    select current_timeline() as timeline, pg_sequence_last_value('log_timeline')::int as begun, epoch_timeline as epoch
    from event_order`;
  expect([row?.begun, row?.epoch]).toEqual([row?.timeline, row?.timeline]);
});

test('a migration of a branch that is not here is refused, before another one is applied', async () => {
  const { url, sql } = await createTestDatabase();
  await migrate(
    url,
    {},
    migrationsWith({ migrations: { '9001_branch': 'create table of_branch (id int)' } }),
  );
  const other = migrationsWith({
    migrations: {
      '9001_other': 'create table of_other (id int)',
      '9002_next': 'create table of_next (id int)',
    },
  });
  await expect(migrate(url, {}, other)).rejects.toThrow('another version of the migrations');
  expect(await sql`select to_regclass('of_next') as found`).toMatchObject([{ found: null }]);
});

test('a view has the columns that a migration adds', async () => {
  const { url, sql } = await createTestDatabase();
  const folder = migrationsWith({
    migrations: { '9001_column': "ALTER TABLE tokens ADD COLUMN added text DEFAULT 'here'" },
  });
  await migrate(url, {}, folder);
  expect([...(await sql`select added from visible_tokens`)]).toEqual([]);
});

describe('a migration and a request that hold a table each, and need that of the other', () => {
  // In the order in which requests create endpoints, and in the other one.
  test.each([
    ['webhook_endpoints', 'stream_log'],
    ['stream_log', 'webhook_endpoints'],
  ])('let the request through: it has %s and needs %s', async (held = '', needed = '') => {
    const { url, sql } = await createTestDatabase();
    const folder = migrationsWith({
      migrations: {
        '9001_both':
          'ALTER TABLE webhook_endpoints ADD COLUMN a int;--> statement-breakpoint\nALTER TABLE stream_log ADD COLUMN b int',
      },
    });
    const busy: string[] = [];
    const [migrated] = await sql.begin(async (request) => {
      await request`lock table ${request(held)} in row exclusive mode`;
      const migrating = migrate(url, { busy: (name) => busy.push(name) }, folder);
      await untilBlockedBy(request, 'the migration waits for the request');
      // When two wait for each other, the one whose wait reaches this time last fails.
      await eventually('the migration gives up, or is not the one that would fail', async () => {
        const { count } = await request`
          select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))
            and waitstart < clock_timestamp() - 1.2 * current_setting('deadlock_timeout')::interval`;
        return busy.length > 0 || count > 0;
      });
      await request`lock table ${request(needed)} in row exclusive mode`;
      await eventually('the migration gives up', async () => busy.length > 0);
      return [migrating];
    });
    expect((await migrated).applied).toEqual(['9001_both']);
    expect(new Set(busy)).toEqual(new Set(['9001_both']));
  });
});

/** Every kind of command that locks a table until the end of its transaction. */
const LOCKING_COMMANDS = `
ALTER TABLE "accounts" ADD COLUMN "added" int;--> statement-breakpoint
CREATE TABLE "added" ("account_id" uuid);--> statement-breakpoint
ALTER TABLE "added" ADD CONSTRAINT "added_fk" FOREIGN KEY ("account_id") REFERENCES "public"."prediction_rounds"("id");--> statement-breakpoint
CREATE INDEX "images_added" ON "images" ("created_at");--> statement-breakpoint
DROP INDEX "launches_account";--> statement-breakpoint
DROP TRIGGER presales_changed ON presales;--> statement-breakpoint
CREATE TRIGGER orders_added_again AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION log_order();--> statement-breakpoint
UPDATE trade_followers SET stamp = stamp;--> statement-breakpoint
DELETE FROM "trade_floor";--> statement-breakpoint
LOCK TABLE events, operations IN ACCESS EXCLUSIVE MODE`;

/** Modes that wait for writers, weakest first. */
const LOCK_MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

test('each migration locks at its beginning all that it locks', async () => {
  const { url, sql } = await emptyDatabase();
  const folder = migrationsWith({ migrations: { '9001_every_lock': LOCKING_COMMANDS } });
  for (const file of ['requirements.sql', 'former-functions.sql'])
    await sql.unsafe(readFileSync(join(folder, file), 'utf8'));
  await createMissingFunctions(sql, readTexts(folder));
  const migrator = postgres(url, { max: 1, onnotice: () => {} });
  atEnd(() => migrator.end());
  const late: object[] = [];
  for (const { sql: statements, folderMillis } of readMigrationFiles({ migrationsFolder: folder })) {
    const tables = await sql<{ oid: number }[]>`
      select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
    await migrator.begin(async (transaction) => {
      const locks = () => transaction<{ id: number; table: string; strength: number }[]>`
        select relation as id, relation::regclass::text as table, max(array_position(${LOCK_MODES}, mode)) as strength
        from pg_locks where pid = pg_backend_pid() and relation = any(${tables.map(({ oid }) => oid)})
          and mode = any(${LOCK_MODES}) group by relation`;
      await lockTables(transaction, statements);
      const first = new Map((await locks()).map(({ id, strength }) => [id, strength]));
      for (const statement of statements) await transaction.unsafe(statement);
      // By id: a dropped table has no name any more.
      for (const { id, table, strength } of await locks())
        if (strength > (first.get(id) ?? 0)) late.push({ migration: folderMillis, table });
    });
  }
  expect(late).toEqual([]);
});

test('no event loses its marks when they become rows, also one that is recorded before functions get their new text', async () => {
  const { url, sql } = await emptyDatabase();
  const folder = migrationsWith({});
  for (const file of ['requirements.sql', 'former-functions.sql'])
    await sql.unsafe(readFileSync(join(folder, file), 'utf8'));
  await createMissingFunctions(sql, readTexts(folder));
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const at = migrations.findIndex(({ sql: statements }) => statements.join().includes('"events_to_publish"'));
  const migrator = postgres(url, { max: 1, onnotice: () => {} });
  atEnd(() => migrator.end());
  const apply = async (some: typeof migrations) => {
    for (const { sql: statements } of some)
      await migrator.begin(async (transaction) => {
        for (const statement of statements) await transaction.unsafe(statement);
      });
  };
  const record = async (...marks: ('published_at' | 'fanned_out_at')[]) => {
    const id = Bun.randomUUIDv7();
    await sql`insert into events (id, type, subject, body, created_at, recorded_in) values (${id}, 't', 's', '{}', now(), '1')`;
    for (const mark of marks) await sql`update events set ${sql(mark)} = now() where id = ${id}`;
    return id;
  };
  await apply(migrations.slice(0, at));
  const open = await record();
  const published = await record('published_at');
  const fannedOut = await record('fanned_out_at');
  await record('published_at', 'fanned_out_at');
  await apply(migrations.slice(at));
  const recorded = await record();
  const idsOf = async (table: string) =>
    (await sql<{ id: string }[]>`select event_id as id from ${sql(table)} order by event_id`).map(
      ({ id }) => id,
    );
  expect(await idsOf('events_to_publish')).toEqual([open, fannedOut, recorded]);
  expect(await idsOf('events_to_fan_out')).toEqual([open, published, recorded]);
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

interface DeclaredTable {
  columns: Record<string, DeclaredColumn>;
  indexes: object;
  foreignKeys: object;
  compositePrimaryKeys: object;
  uniqueConstraints: object;
  checkConstraints: object;
}

interface DeclaredColumn {
  name: string;
  type: string;
  notNull: boolean;
  default?: unknown;
  identity?: unknown;
  generated?: unknown;
}

/** The tables of the newest snapshot, which the first test compares with the code. */
function declaredTables(): [name: string, table: DeclaredTable][] {
  const meta = join(root, 'drizzle/meta');
  const snapshots = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'));
  const newest = readFileSync(join(meta, snapshots.sort().at(-1) ?? ''), 'utf8');
  return Object.entries((JSON.parse(newest) as { tables: Record<string, DeclaredTable> }).tables);
}

test('the database has the tables and columns that the code declares, and no others', async () => {
  const { sql } = await createTestDatabase();
  const found = await sql`
    select 'public.' || relname as table, attname as column, format_type(atttypid, atttypmod) as type,
      attnotnull as required, atthasdef or attidentity <> '' as filled
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped`;
  const declared = declaredTables().flatMap(([table, { columns }]) =>
    Object.values(columns).map((column) => ({
      table,
      column: column.name,
      type: column.type === 'bigserial' ? 'bigint' : column.type,
      required: column.notNull,
      filled:
        column.type === 'bigserial' ||
        [column.default, column.identity, column.generated].some((given) => given !== undefined),
    })),
  );
  const lines = (columns: readonly object[]) => columns.map((column) => JSON.stringify(column)).sort();
  expect(lines(found)).toEqual(lines(declared));
});

test('every index, check and key that the code declares is in the database, partitioned tables included', async () => {
  const { sql } = await createTestDatabase();
  for (const [name, table] of declaredTables()) {
    const declared = [
      table.indexes,
      table.foreignKeys,
      table.compositePrimaryKeys,
      table.uniqueConstraints,
      table.checkConstraints,
    ].flatMap(Object.keys);
    const found = await sql<{ name: string }[]>`
      select conname as name from pg_constraint where conrelid = ${name}::regclass and contype not in ('n', 't')
      union select relname from pg_class join pg_index on indexrelid = pg_class.oid where indrelid = ${name}::regclass`;
    const names = found.map((row) => row.name).filter((one) => !one.endsWith('_pkey'));
    expect({ name, names: names.sort() }).toEqual({ name, names: [...new Set(declared)].sort() });
  }
});

const PRESENT = new URL('../../drizzle', import.meta.url).pathname;

/** Migrations to come and functions, by their names. */
interface Additions {
  migrations?: Readonly<Record<string, string>>;
  functions?: Readonly<Record<string, string>>;
}

/** The migrations of this release in a folder of their own, with some that a next release could add. */
function migrationsWith({ migrations = {}, functions = {} }: Additions): string {
  const folder = join(createTempDir('migrations'), 'drizzle');
  cpSync(PRESENT, folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
    entries: { idx: number; when: number }[];
  };
  for (const [tag, sql] of Object.entries(migrations)) {
    const last = journal.entries.at(-1);
    if (last === undefined) throw new Error('there is no migration');
    const entry = { idx: last.idx + 1, version: '7', when: last.when + 1_000, tag, breakpoints: true };
    journal.entries.push(entry);
    writeFileSync(join(folder, `${tag}.sql`), sql);
  }
  writeFileSync(journalFile, JSON.stringify(journal));
  for (const [name, sql] of Object.entries(functions))
    writeFileSync(join(folder, `functions/${name}.sql`), sql);
  return folder;
}
