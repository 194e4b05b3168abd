import type { Sql } from 'postgres';
import { requiredSchemaVersion } from '../../../src/db/schema-version.ts';

/**
 * Changes the schema like a next release while this one runs: adds a column to every table, and a table. It
 * changes one table at a time, like a careful migration, so that no lock waits while it holds another.
 */
export async function migrateToNextSchema(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  for (const { name } of tables) {
    await sql.unsafe(`alter table ${name} add column next_release text not null default 'unknown'`);
  }
  await sql.unsafe('create table next_release (id uuid primary key)');
  await setSchemaVersion(sql, requiredSchemaVersion + 1);
}

/** Sets the schema version that a database reports. */
export async function setSchemaVersion(sql: Sql, version: number): Promise<void> {
  await sql.unsafe(`comment on table drizzle.__drizzle_migrations is '${version}'`);
}
