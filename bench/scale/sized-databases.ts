import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { BenchEnvironment } from '../cases/environment.ts';

export interface SizedDatabase {
  /** Of the variant. */
  name: string;
  size: number;
  sql: Database;
}

/**
 * One database for each size, all in one Postgres at the same time: sizes can then be measured in alternating rounds, so
 * that other load on the machine affects all of them.
 */
export async function createSizedDatabases(
  { database, databaseUrl }: BenchEnvironment,
  sizes: readonly number[],
  unit: string,
  fill: (sql: Database, size: number) => Promise<void>,
): Promise<SizedDatabase[]> {
  const made: SizedDatabase[] = [];
  try {
    for (const size of sizes) {
      const url = new URL(databaseUrl);
      url.pathname = `/sized_${size}`;
      await database.unsafe(`create database sized_${size}`);
      await migrate(url.href);
      // The api's settings.
      const sql = connectDatabase(url.href, {
        applicationName: 'bench',
        connections: 1,
        genericPlans: true,
        indexesOnly: true,
      });
      made.push({ name: `${size.toLocaleString('en')} ${unit}${size === 1 ? '' : 's'}`, size, sql });
      await fill(sql, size);
      await sql`vacuum analyze`;
    }
    await database`checkpoint`;
    return made;
  } catch (error) {
    await closeSizedDatabases(made);
    throw error;
  }
}

export async function closeSizedDatabases(databases: readonly SizedDatabase[]): Promise<void> {
  await Promise.all(databases.map(({ sql }) => sql.end({ timeout: 1 })));
}
