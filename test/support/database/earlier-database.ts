import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import postgres, { type Sql } from 'postgres';
import { atEnd } from '../run/cleanup.ts';
import { createTestDatabase } from './database.ts';
import { withDatabase } from './database-url.ts';

const migrationsFolder = new URL('../../../drizzle', import.meta.url).pathname;

/** Creates a database with only the migrations before `tag`. `migrate` applies the rest. */
export async function createDatabaseBefore(tag: string): Promise<{ url: string; sql: Sql }> {
  const { url: newest, sql: admin } = await createTestDatabase();
  const name = `before_${randomBytes(8).toString('hex')}`;
  await admin.unsafe(`create database ${name}`);
  atEnd(async () => void (await admin.unsafe(`drop database if exists ${name} with (force)`)));
  const url = withDatabase(newest, name);
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  atEnd(() => sql.end({ timeout: 1 }));
  const until = journalTime(tag);
  await sql`create schema drizzle`;
  await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
    if (folderMillis >= until) break;
    // In a transaction, as the product runs them: some lock tables.
    await sql.begin(async (transaction) => {
      for (const statement of statements) await transaction.unsafe(statement);
      await transaction`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    });
  }
  return { url, sql };
}

function journalTime(tag: string): number {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  const entry = entries.find((one) => one.tag === tag);
  if (entry === undefined) throw new Error(`there is no migration ${tag}`);
  return entry.when;
}
