import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { withDatabase } from './database-url.ts';

const MIGRATE_MODULE = join(PROJECT_ROOT, 'src', 'db', 'migrate.ts');
/** Any number, the same in every test process. */
const TEMPLATE_LOCK = 7_402_513;
const DAY_MS = 86_400_000;

/**
 * Makes sure that the migrated template exists and returns its name. The name has a hash of the migrations and the week
 * whose partitions they make, so a server that outlives a change gets a new template. The advisory lock lets one of many
 * processes build it.
 */
export async function ensureTemplate(admin: Sql, adminUrl: string): Promise<string> {
  const name = `launchwire_template_${migrationsHash()}_${weekNumber(new Date())}`;
  const connection = await admin.reserve();
  try {
    await connection`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const [found] = await connection`select 1 from pg_database where datname = ${name}`;
    if (found === undefined) await build(connection, adminUrl, name);
  } finally {
    await connection`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
    connection.release();
  }
  return name;
}

/** Migrates under a temporary name first, so that a template with the final name is complete. */
async function build(connection: Sql, adminUrl: string, name: string): Promise<void> {
  const building = `${name}_building`;
  await connection.unsafe(`drop database if exists ${building} with (force)`);
  await connection.unsafe(`create database ${building}`);
  await migrate(withDatabase(adminUrl, building));
  await connection.unsafe(`alter database ${building} rename to ${name}`);
}

/** Only the process that builds the template loads the migrations. */
async function migrate(databaseUrl: string): Promise<void> {
  const migrations = await import('../../../src/db/migrate.ts');
  await migrations.migrate(databaseUrl);
}

/** Weeks begin on Monday, as those of partitions do; the first day of Unix time was a Thursday. */
function weekNumber(at: Date): number {
  return Math.floor((at.getTime() - 4 * DAY_MS) / (7 * DAY_MS));
}

function migrationsHash(): string {
  const folder = join(PROJECT_ROOT, 'drizzle');
  const hash = createHash('sha256').update(readFileSync(MIGRATE_MODULE));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(folder.length)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
