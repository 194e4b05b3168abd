import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { createBenchEnvironment } from '../cases/environment.ts';

export interface SizedDatabase {
  /** Name of the variant. */
  name: string;
  size: number;
  url: string;
  sql: Database;
  /** A connection with the settings of the worker, which plans by its parameters. */
  worker: Database;
}

export interface SizedRows {
  sizes: readonly number[];
  /** Name of one row. */
  unit: string;
  /** Tables in which `fill` stores rows. */
  tables: readonly string[];
  fill: (sql: Database, size: number) => Promise<void>;
}

/**
 * Measures on one database for each size, all in one Postgres at the same time: sizes can then be measured in alternating
 * rounds, so that other load on the machine affects all of them.
 */
export async function withSizedDatabases<Result>(
  { sizes, unit, tables, fill }: SizedRows,
  measure: (databases: readonly SizedDatabase[]) => Promise<Result>,
): Promise<Result> {
  const environment = await createBenchEnvironment();
  const made: SizedDatabase[] = [];
  try {
    for (const size of sizes) {
      const url = await environment.createDatabase(`sized_${size}`);
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
      await withoutIndexes(sql, tables, () => fill(sql, size));
      await sql.unsafe(`vacuum analyze ${tables.join(', ')}`);
    }
    await environment.database`checkpoint`;
    return await measure(made);
  } finally {
    await Promise.all(
      made.flatMap(({ sql, worker }) => [sql, worker].map((each) => each.end({ timeout: 1 }))),
    );
    await environment.close();
  }
}

/**
 * Drops the indexes of the tables while rows are stored, except unique ones and those of partitioned tables, and makes them
 * again in one pass. Ten million tokens were not stored in 17 minutes with their index of searches, and are in 10 without.
 */
async function withoutIndexes(
  sql: Database,
  tables: readonly string[],
  store: () => Promise<void>,
): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where indrelid = any (${[...tables]}::text[]::regclass[]) and relkind = 'r' and not indisunique
      and not exists (select from pg_inherits where inhrelid = indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await store();
  await sql`set maintenance_work_mem = '1GB'`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`reset maintenance_work_mem`;
}
