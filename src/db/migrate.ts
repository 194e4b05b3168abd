import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { publishSchemaVersion } from './schema-version.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../drizzle', import.meta.url));
// Any constant will do: it only has to be the same in every process that migrates.
const MIGRATION_LOCK = 7_201_953;
const LOCK_TIMEOUT_SECONDS = 10;

/** Brings a database to the newest schema; several processes may call it at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    // A migration that waits for a busy table makes everybody wait behind it: better that it fails and is repeated.
    await sql.unsafe(`set lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
    await applyMigrations(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    await sql.unsafe(publishSchemaVersion);
  } finally {
    await sql.end();
  }
}
