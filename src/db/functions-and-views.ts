import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type postgres from 'postgres';

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
    for (const { text } of missing) await transaction.unsafe(text);
  });
}

/** Replaces these after the migrations, all or none, and records their texts. */
export async function replaceTexts(sql: postgres.Sql, texts: readonly ReplaceableText[]): Promise<void> {
  if (texts.length === 0) return;
  await sql.begin(async (transaction) => {
    await transaction`create table if not exists drizzle.functions (name text primary key, hash text not null)`;
    for (const { name, text, hash } of texts) {
      await transaction.unsafe(text);
      await transaction`
        insert into drizzle.functions (name, hash) values (${name}, ${hash})
        on conflict (name) do update set hash = excluded.hash`;
    }
  });
}
