import type { Database, Queryable } from '../../../src/db/client.ts';

/** A statement may have 65,535 parameters. */
const ROWS_PER_STATEMENT = 1_000;

/** Stores rows that all name the same columns, in camelCase. */
export async function insertRows(db: Queryable, table: string, rows: readonly object[]): Promise<void> {
  const sql = db as Database;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await sql`insert into ${sql(table)} ${sql(rows.slice(start, start + ROWS_PER_STATEMENT))}`;
}

/** A UUIDv7 of that time; by default of now and greater than all earlier ones of this process. */
export function newRowId(createdAt: Date | undefined): string {
  return createdAt === undefined ? Bun.randomUUIDv7() : Bun.randomUUIDv7('hex', createdAt);
}
