import { entries } from '../../drizzle/meta/_journal.json';
import type { Queryable } from './client.ts';

/** Creation time of the newest migration of this release; the migrator sorts by it. */
export const requiredSchemaVersion = Math.max(...entries.map(({ when }) => when));

/**
 * Names a schema by its newest migration.
 * @param migrations where they are not those of this release
 */
export function schemaName(
  version: number,
  migrations: readonly { when: number; tag: string }[] = entries,
): string {
  const known = migrations.find(({ when }) => when === version);
  return known?.tag ?? `a migration of a later release (${new Date(version).toISOString()})`;
}

/**
 * SQL that publishes the schema version to every role as a comment: the processes cannot read the migrator's
 * own table. Whoever migrates runs it after the migrations.
 */
export const publishSchemaVersion = `
  do $$
  begin
    execute (select format('comment on table drizzle.__drizzle_migrations is %L', max(created_at))
      from drizzle.__drizzle_migrations);
  end $$`;

/** Reads the newest applied migration; 0 when no release that publishes it has migrated the database. */
export async function readSchemaVersion(database: Queryable): Promise<number> {
  const [row] = await database<{ version: string | null }[]>`
    select obj_description(pg_class.oid, 'pg_class') as version
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'drizzle' and relname = '__drizzle_migrations'`;
  return Number(row?.version ?? 0);
}
