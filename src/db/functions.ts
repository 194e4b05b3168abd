import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type postgres from 'postgres';

/** A function of the database, with the text that makes it and gives its rights. */
export interface DatabaseFunction {
  name: string;
  text: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
}

/** The functions of a folder of migrations: `functions/<name>.sql`, one in each file. */
export function readFunctions(migrationsFolder: string): DatabaseFunction[] {
  const folder = join(migrationsFolder, 'functions');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { name: basename(file, '.sql'), text, hash: createHash('sha256').update(text).digest('hex') };
    });
}

/** Functions whose text is another one than the database has, by the record of `replaceFunctions`. */
export async function changedFunctions(
  sql: postgres.Sql,
  functions: readonly DatabaseFunction[],
): Promise<DatabaseFunction[]> {
  const [record] = await sql<
    { exists: boolean }[]
  >`select to_regclass('drizzle.functions') is not null as exists`;
  if (record?.exists !== true) return [...functions];
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from drizzle.functions`;
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]));
  return functions.filter(({ name, hash }) => hashes.get(name) !== hash);
}

/**
 * Makes the functions that the database does not have yet, before migrations that name them in triggers, checks and
 * defaults. Postgres reads no body then, because the tables that it names may not exist.
 */
export async function createMissingFunctions(
  sql: postgres.Sql,
  functions: readonly DatabaseFunction[],
): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace`;
  const present = new Set(rows.map(({ name }) => name));
  const missing = functions.filter(({ name }) => !present.has(name));
  if (missing.length === 0) return;
  await sql.begin(async (transaction) => {
    await transaction`set local check_function_bodies = off`;
    for (const { text } of missing) await transaction.unsafe(text);
  });
}

/** Replaces these functions after the migrations, all or none, and records their texts. */
export async function replaceFunctions(
  sql: postgres.Sql,
  functions: readonly DatabaseFunction[],
): Promise<void> {
  if (functions.length === 0) return;
  await sql.begin(async (transaction) => {
    await transaction`create table if not exists drizzle.functions (name text primary key, hash text not null)`;
    for (const { name, text, hash } of functions) {
      await transaction.unsafe(text);
      await transaction`
        insert into drizzle.functions (name, hash) values (${name}, ${hash})
        on conflict (name) do update set hash = excluded.hash`;
    }
  });
}
