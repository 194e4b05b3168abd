import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type postgres from 'postgres';
import { MigrationFailure } from './migration-failure.ts';
import { databaseRoles } from './roles.ts';

/** A function of the database, or all of its views, with the text that makes them and gives their rights. */
export interface ReplaceableText {
  kind: 'function' | 'views';
  name: string;
  text: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
}

/** `views.sql` of a folder of migrations, then `functions/<name>.sql`, one function in each file. */
export function readTexts(migrationsFolder: string): ReplaceableText[] {
  const functions = readdirSync(join(migrationsFolder, 'functions'))
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return [
    readText(join(migrationsFolder, 'views.sql'), 'views'),
    ...functions.map((file) => readText(join(migrationsFolder, 'functions', file), 'function')),
  ];
}

function readText(file: string, kind: ReplaceableText['kind']): ReplaceableText {
  const text = readFileSync(file, 'utf8');
  return { kind, name: basename(file, '.sql'), text, hash: createHash('sha256').update(text).digest('hex') };
}

/** Those whose text is another one than the database has, by the record of `replaceTexts`. */
export async function changedTexts(
  sql: postgres.Sql,
  texts: readonly ReplaceableText[],
): Promise<ReplaceableText[]> {
  const [record] = await sql<
    { exists: boolean }[]
  >`select to_regclass('drizzle.functions') is not null as exists`;
  if (record?.exists !== true) return [...texts];
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from drizzle.functions`;
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]));
  return texts.filter(({ name, hash }) => hashes.get(name) !== hash);
}

/**
 * Makes the functions that the database does not have yet, before migrations that name them in triggers, checks and
 * defaults. Postgres reads no body then, because the tables that it names may not exist.
 */
export async function createMissingFunctions(
  sql: postgres.Sql,
  texts: readonly ReplaceableText[],
): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace`;
  const present = new Set(rows.map(({ name }) => name));
  const missing = texts.filter(({ kind, name }) => kind === 'function' && !present.has(name));
  if (missing.length === 0) return;
  await sql.begin(async (transaction) => {
    await transaction`set local check_function_bodies = off`;
    for (const one of missing) await run(transaction, one);
  });
}

/**
 * Replaces these after the migrations, all or none, and records their texts. The rights of a function are those of its text: earlier
 * ones end. Throws for a text that makes a second function of one name, which calls could not tell apart.
 */
export async function replaceTexts(sql: postgres.Sql, texts: readonly ReplaceableText[]): Promise<void> {
  if (texts.length === 0) return;
  await sql.begin(async (transaction) => {
    await transaction`create table if not exists drizzle.functions (name text primary key, hash text not null)`;
    for (const one of texts) {
      const { kind, name, hash } = one;
      if (kind === 'function') await revokeRights(transaction, name);
      await run(transaction, one);
      if (kind === 'function') await refuseOverload(transaction, name);
      await transaction`
        insert into drizzle.functions (name, hash) values (${name}, ${hash})
        on conflict (name) do update set hash = excluded.hash`;
    }
  });
}

async function run(
  transaction: postgres.TransactionSql,
  { kind, name, text }: ReplaceableText,
): Promise<void> {
  try {
    await transaction.unsafe(text);
  } catch (cause) {
    const file = kind === 'function' ? `functions/${name}.sql` : `${name}.sql`;
    throw new MigrationFailure(`drizzle/${file}`, cause);
  }
}

async function revokeRights(transaction: postgres.TransactionSql, name: string): Promise<void> {
  const found = await transaction<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'public'::regnamespace and proname = ${name}`;
  for (const { signature } of found)
    await transaction.unsafe(`revoke all on function ${signature} from public, ${databaseRoles.join(', ')}`);
}

async function refuseOverload(transaction: postgres.TransactionSql, name: string): Promise<void> {
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from pg_proc
    where pronamespace = 'public'::regnamespace and proname = ${name}`;
  if (row?.count === 1) return;
  const message =
    'the database has a function of this name with other parameters: give the new one another name';
  throw new MigrationFailure(`drizzle/functions/${name}.sql`, new Error(message));
}
