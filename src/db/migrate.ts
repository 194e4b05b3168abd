import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { ConfigurationError } from '../shared/configuration-error.ts';
import { type DatabaseAccess, driverAccess } from './access.ts';
import { connectDatabase } from './client.ts';
import { settleEventOrder } from './event-order.ts';
import {
  changedTexts,
  createMissingFunctions,
  type ReplaceableText,
  readTexts,
  replaceTexts,
} from './functions-and-views.ts';
import { databaseLimits, sessionSettings } from './limits.ts';
import { throughLocks } from './lock-retries.ts';
import { MigrationFailure } from './migration-failure.ts';
import { lockTables } from './migration-locks.ts';
import { makePartitions } from './partitions.ts';
import { findPooling } from './pooler.ts';
import { publishSchemaVersion, schemaName } from './schema-version.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../drizzle', import.meta.url));
// Any constant that is the same in every migrating process.
const MIGRATION_LOCK = 7_201_953;
const LOCK_TIMEOUT_SECONDS = 10;

/** Receives the progress of the work. */
export interface MigrationObserver {
  /** Another process migrates this database; this one waits for it. */
  waiting?(): void;
  /** One migration is applied. */
  ran?(name: string, durationMs: number): void;
  /** A migration met locks of running processes that it does not wait for; it changed nothing, and runs again. */
  busy?(name: string): void;
  /** A migration failed, and it changed nothing; `schema` is the present one, null before the first migration of all. */
  failed?(name: string, schema: string | null): void;
}

/** Schemas by the name of their newest migration. */
export interface MigrationResult {
  /** Null for a database without migrations. */
  before: string | null;
  after: string;
  /** Migrations that this call ran, in order. */
  applied: readonly string[];
  /** Functions whose text changed, and `views`. */
  replaced: readonly string[];
  /** The database is of a later release, whose functions and views it keeps. */
  isOfLater: boolean;
}

/**
 * Migrates a database to the newest schema, gives its functions and views their present text, and makes the partitions of the coming weeks;
 * several processes may call it at once. Throws, and changes nothing, when the database has migrations that differ from these. When a
 * migration fails, those before it stay applied. A database of a later release keeps its functions.
 * @param folder with the migrations, `functions/`, `views.sql`, `requirements.sql` and `former-functions.sql`
 */
export async function migrate(
  access: DatabaseAccess | string,
  observer: MigrationObserver = {},
  folder = MIGRATIONS_FOLDER,
): Promise<MigrationResult> {
  const { url, ssl, hosts } = driverAccess(access);
  const sql = postgres(url, { max: 1, ssl, ...hosts, onnotice: () => {}, connection: sessionSettings });
  const db = connectDatabase(access, {
    applicationName: 'launchwire-migrate',
    // The second one is opened only behind a pooler, to compare it with the first.
    connections: 2,
    limits: databaseLimits.migrate,
  });
  try {
    if ((await findPooling(db)).startsWith('transaction'))
      throw new ConfigurationError([
        'DATABASE_URL leads to a connection pooler that shares sessions between transactions, but a lock of its session lets one process migrate at a time: name Postgres itself',
      ]);
    await takeTurn(sql, observer);
    const applied = await appliedMigrations(sql);
    const newestMs = Math.max(0, ...applied.map(({ createdAt }) => Number(createdAt)));
    const known = readMigrationFiles({ migrationsFolder: folder });
    const nameOf = namesIn(folder);
    refuseOtherMigrations(known, applied, newestMs);
    const before = newestMs === 0 ? null : nameOf(newestMs);
    const pending = known.filter(({ folderMillis }) => folderMillis > newestMs);
    const isOfLater = newestMs > Math.max(...known.map(({ folderMillis }) => folderMillis));
    if (pending.length > 0) refuseUnknownMigrations(known, applied);
    const changed = isOfLater ? [] : await textsToReplace(sql, folder, pending.length > 0);
    if (pending.length + changed.length > 0) await prepare(sql, folder, changed, before === null);
    await applyAll(sql, pending, { before, nameOf }, observer);
    await replaceTexts(sql, changed);
    await sql.unsafe(publishSchemaVersion);
    await settleEventOrder(db);
    await makePartitions(db, null);
    const after = nameOf(Math.max(newestMs, ...pending.map(({ folderMillis }) => folderMillis)));
    return {
      before,
      after,
      applied: pending.map(({ folderMillis }) => nameOf(folderMillis)),
      replaced: changed.map(({ name }) => name),
      isOfLater,
    };
  } finally {
    await Promise.all([sql.end(), db.end()]);
  }
}

/** Names a schema by its newest migration, as the journal of the folder does. */
function namesIn(folder: string): (version: number) => string {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  return (version) => schemaName(version, entries);
}

/** Views are made again after every migration: they have the columns that their tables had then. */
async function textsToReplace(
  sql: postgres.Sql,
  folder: string,
  isPending: boolean,
): Promise<ReplaceableText[]> {
  const texts = readTexts(folder);
  const changed = new Set(await changedTexts(sql, texts));
  return texts.filter((text) => changed.has(text) || (isPending && text.kind === 'views'));
}

/** What migrations expect: the roles, the extension, and every function that they name. */
async function prepare(
  sql: postgres.Sql,
  folder: string,
  texts: readonly ReplaceableText[],
  isEmpty: boolean,
): Promise<void> {
  await sql.unsafe(readFileSync(join(folder, 'requirements.sql'), 'utf8'));
  if (isEmpty) await sql.unsafe(readFileSync(join(folder, 'former-functions.sql'), 'utf8'));
  await createMissingFunctions(sql, texts);
}

/** Lets one process migrate at a time; the next one then finds nothing to do. */
async function takeTurn(sql: postgres.Sql, observer: MigrationObserver): Promise<void> {
  const [turn] = await sql<{ isOurs: boolean }[]>`
    select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isOurs"`;
  if (turn?.isOurs === true) return;
  observer.waiting?.();
  await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
}

interface AppliedMigration {
  hash: string;
  createdAt: string;
}

async function appliedMigrations(sql: postgres.Sql): Promise<AppliedMigration[]> {
  const [journal] = await sql<{ exists: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (journal?.exists !== true) return [];
  return sql<AppliedMigration[]>`
    select hash, created_at::text as "createdAt" from drizzle.__drizzle_migrations`;
}

/**
 * The migrator compares only dates: it would treat a migration that was edited after it ran here as applied,
 * and the next one would meet an unknown schema.
 */
function refuseOtherMigrations(
  known: readonly MigrationMeta[],
  applied: readonly AppliedMigration[],
  newestMs: number,
): void {
  const hashes = new Set(applied.map(({ hash }) => hash));
  if (known.some(({ folderMillis, hash }) => folderMillis <= newestMs && !hashes.has(hash)))
    throw otherVersion();
}

/** Before later migrations: those of a branch that is not here may have changed what they change. */
function refuseUnknownMigrations(
  known: readonly MigrationMeta[],
  applied: readonly AppliedMigration[],
): void {
  const hashes = new Set(known.map(({ hash }) => hash));
  if (applied.some(({ hash }) => !hashes.has(hash))) throw otherVersion();
}

function otherVersion(): MigrationFailure {
  return new MigrationFailure(
    'the database stays as it is',
    new Error('it was made by another version of the migrations than the one in drizzle/'),
  );
}

/**
 * Applies each migration in a transaction of its own, so that no lock outlasts the migration that needs it. The schemas in between are
 * those of releases before this one.
 */
async function applyAll(
  sql: postgres.Sql,
  pending: readonly MigrationMeta[],
  { before, nameOf }: { before: string | null; nameOf: (version: number) => string },
  observer: MigrationObserver,
): Promise<void> {
  if (pending.length === 0) return;
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  // For locks beyond those that are taken at the beginning.
  await sql.unsafe(`set lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
  let schema = before;
  for (const migration of pending) {
    const name = nameOf(migration.folderMillis);
    try {
      let beganAt = performance.now();
      const beginAgain = () => {
        observer.busy?.(name);
        beganAt = performance.now();
      };
      await throughLocks(() => sql.begin((transaction) => apply(transaction, migration)), beginAgain);
      observer.ran?.(name, performance.now() - beganAt);
      schema = name;
    } catch (error) {
      observer.failed?.(name, schema);
      throw new MigrationFailure(name, error);
    }
  }
}

async function apply(sql: postgres.TransactionSql, { sql: statements, hash, folderMillis }: MigrationMeta) {
  await lockTables(sql, statements);
  for (const statement of statements) await sql.unsafe(statement);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
}
