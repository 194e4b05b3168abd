import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { type DatabaseAccess, driverAccess } from './access.ts';
import { connectDatabase } from './client.ts';
import { settleEventOrder } from './event-order.ts';
import { databaseLimits, sessionSettings } from './limits.ts';
import { makePartitions } from './partitions.ts';
import { publishSchemaVersion } from './schema-version.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../drizzle', import.meta.url));
// Any constant will do: it only has to be the same in every process that migrates.
const MIGRATION_LOCK = 7_201_953;
const LOCK_TIMEOUT_SECONDS = 10;

/**
 * Brings a database to the newest schema, partitions of the coming weeks included; several processes may call it at
 * once. Throws, and changes nothing, when the database was made by other migrations than these.
 */
export async function migrate(access: DatabaseAccess | string): Promise<void> {
  const { url, ssl } = driverAccess(access);
  const sql = postgres(url, { max: 1, ssl, onnotice: () => {}, connection: sessionSettings });
  const db = connectDatabase(access, {
    applicationName: 'launchwire-migrate',
    connections: 1,
    limits: databaseLimits.migrate,
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await refuseOtherMigrations(sql);
    // A migration that waits for a busy table makes every query wait behind it: better that it fails and is repeated.
    await sql.unsafe(`set lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
    await applyMigrations(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    await sql.unsafe(publishSchemaVersion);
    await settleEventOrder(db);
    await makePartitions(db, null);
  } finally {
    await Promise.all([sql.end(), db.end()]);
  }
}

/**
 * The migrator goes by dates alone: a migration that was edited after it was applied here would be taken for applied,
 * and the next one would meet an unknown schema.
 */
async function refuseOtherMigrations(sql: postgres.Sql): Promise<void> {
  const [journal] = await sql<{ exists: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (journal?.exists !== true) return;
  const applied = await sql<{ hash: string; createdAt: string }[]>`
    select hash, created_at::text as "createdAt" from drizzle.__drizzle_migrations`;
  const hashes = new Set(applied.map(({ hash }) => hash));
  const newestMs = Math.max(0, ...applied.map(({ createdAt }) => Number(createdAt)));
  const passedOver = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).filter(
    ({ folderMillis, hash }) => folderMillis <= newestMs && !hashes.has(hash),
  );
  if (passedOver.length > 0)
    throw new Error('it was made by another version of the migrations than the one in drizzle/');
}
