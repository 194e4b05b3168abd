import type { Queryable } from './client.ts';
import { isLockTimeout } from './lock-timeout.ts';

/**
 * Tables whose old rows are dropped as whole partitions (decision 0019). The worker calls `makePartitions`
 * and `dropExpiredPartitions`; functions of the database, `make_next_partition` and `drop_next_partition`
 * (drizzle/functions/), decide which partition is next and whether it is still needed.
 */
export const partitionedTables = ['events', 'webhook_attempts', 'trades', 'intent_sends'] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** A table that needs more in one pass has implausible rows; the rest follows in the next pass. */
const PARTITIONS_PER_PASS = 50;

export interface PartitionPass {
  /** Names of the changed partitions. */
  changed: string[];
  /** A statement held its table for too long: the next pass continues. */
  isBusy: boolean;
}

/**
 * Makes every missing partition up to the near future, each in a transaction of its own.
 *
 * @param newestSlot slot of the chain, if known
 */
export function makePartitions(db: Queryable, newestSlot: bigint | null): Promise<PartitionPass> {
  return untilDone(partitionedTables, async (table) => {
    const [row] = await db<{ name: string | null }[]>`
      select make_next_partition(${table}, ${newestSlot === null ? null : newestSlot.toString()}::int8) as name`;
    return row?.name ?? null;
  });
}

/**
 * Drops every partition of a table whose rows are older than `keepDays` and no longer needed. Throws when the
 * database does not allow that few days.
 */
export function dropExpiredPartitions(
  db: Queryable,
  table: PartitionedTable,
  now: Date,
  keepDays: number,
): Promise<PartitionPass> {
  return untilDone([table], async () => {
    const [row] = await db<{ name: string | null }[]>`
      select drop_next_partition(${table}, ${now}, ${keepDays}) as name`;
    return row?.name ?? null;
  });
}

async function untilDone(
  tables: readonly PartitionedTable[],
  change: (table: PartitionedTable) => Promise<string | null>,
): Promise<PartitionPass> {
  const pass: PartitionPass = { changed: [], isBusy: false };
  for (const table of tables) {
    for (let count = 0; count < PARTITIONS_PER_PASS; count += 1) {
      const name = await change(table).catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error;
        pass.isBusy = true;
        return null;
      });
      if (name === null) break;
      pass.changed.push(name);
    }
  }
  return pass;
}

/** Counts rows in default partitions by table, up to 10,000. */
export async function readDefaultPartitionRows(db: Queryable): Promise<Map<PartitionedTable, number>> {
  const rows = await db<{ parent: PartitionedTable; rowCount: number }[]>`
    select parent, row_count from default_partition_rows()`;
  return new Map(rows.map(({ parent, rowCount }) => [parent, rowCount]));
}
