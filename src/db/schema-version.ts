import { entries } from '../../drizzle/meta/_journal.json';
import type { Queryable } from './client.ts';

/** When the newest migration of this release was made: what the migrator orders by. */
export const requiredSchemaVersion = Math.max(...entries.map(({ when }) => when));

/** A schema by the name of its newest migration. */
export function schemaName(version: number): string {
  const known = entries.find(({ when }) => when === version);
  return known?.tag ?? `a migration of a later release (${new Date(version).toISOString()})`;
}

/**
 * SQL that shows every role how far the database is migrated, as a comment: the migrator's own table is closed to the
 * processes. Run by whoever migrates, after the migrations.
 */
export const publishSchemaVersion = `
  do $$
  begin
    execute (select format('comment on table drizzle.__drizzle_migrations is %L', max(created_at))
      from drizzle.__drizzle_migrations);
  end $$`;

/** The newest migration that was applied; 0 when the migrations of no release that says so have run. */
export async function readSchemaVersion(database: Queryable): Promise<number> {
  const [row] = await database<{ version: string | null }[]>`
    select obj_description(pg_class.oid, 'pg_class') as version
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'drizzle' and relname = '__drizzle_migrations'`;
  return Number(row?.version ?? 0);
}
