import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import type { BenchEnvironment } from '../cases/environment.ts';

export interface SizedDatabase {
  /** Name of the variant. */
  name: string;
  size: number;
  url: string;
  sql: Database;
  /** A connection with the settings of the worker, which plans by its parameters. */
  worker: Database;
}

/**
 * One database for each size, all in one Postgres at the same time: sizes can then be measured in alternating rounds, so
 * that other load on the machine affects all of them. `fill` stores rows in `tables`.
 */
export async function createSizedDatabases(
  { database, createDatabase }: BenchEnvironment,
  sizes: readonly number[],
  unit: string,
  tables: readonly string[],
  fill: (sql: Database, size: number) => Promise<void>,
): Promise<SizedDatabase[]> {
  const made: SizedDatabase[] = [];
  try {
    for (const size of sizes) {
      const url = await createDatabase(`sized_${size}`);
      // The api's settings.
      const sql = connectDatabase(url, {
        applicationName: 'bench',
        connections: 1,
        // To fill a hundred million rows takes longer than any statement of the product may.
        limits: databaseLimits.migrate,
        genericPlans: true,
        indexesOnly: true,
      });
      const worker = connectDatabase(url, {
        applicationName: 'bench-worker',
        connections: 1,
        limits: databaseLimits.worker,
      });
      made.push({
        name: `${size.toLocaleString('en')} ${unit}${size === 1 ? '' : 's'}`,
        size,
        url,
        sql,
        worker,
      });
      await fill(sql, size);
      await sql.unsafe(`vacuum analyze ${tables.join(', ')}`);
    }
    await database`checkpoint`;
    return made;
  } catch (error) {
    await closeSizedDatabases(made);
    throw error;
  }
}

export async function closeSizedDatabases(databases: readonly SizedDatabase[]): Promise<void> {
  await Promise.all(
    databases.flatMap(({ sql, worker }) => [sql, worker].map((each) => each.end({ timeout: 1 }))),
  );
}
