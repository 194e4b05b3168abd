import type { Sql } from 'postgres';
import { requiredSchemaVersion } from '../../../src/db/schema-version.ts';

/**
 * What the migrations of a next release may do while this one works: a column more in every table, a table more. Each
 * table by itself, as a careful migration does, so that no lock waits while it holds another.
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

/** Makes a database say that it is migrated so far. */
export async function setSchemaVersion(sql: Sql, version: number): Promise<void> {
  await sql.unsafe(`comment on table drizzle.__drizzle_migrations is '${version}'`);
}
