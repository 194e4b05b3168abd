import type { Database } from '../../../src/db/client.ts';
import { type KeptDays, keepPartitions } from '../../../src/db/jobs/make-and-drop-partitions.ts';
import type { PartitionedTable } from '../../../src/db/partitions.ts';
import { createDeliverySweep } from '../../../src/features/webhooks/deliveries/sweep-deliveries.ts';
import { asWorker, silentLog } from '../processes/worker-context.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Names of a table's partitions, without the default one. */
export async function partitionsOf(db: Database, table: PartitionedTable): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = ${table}::regclass and inhrelid::regclass::text not like '%default'
    order by inhrelid::regclass::text collate "C"`;
  return rows.map(({ name }) => name);
}

/** Runs the worker's partition upkeep with its rights until nothing is left to do. */
export async function keepAsWorker(
  db: Database,
  { now = new Date(), keptDays = {} }: { now?: Date; keptDays?: Partial<KeptDays> } = {},
): Promise<void> {
  const upkeep = {
    db: asWorker(db),
    clock: { now: () => now },
    log: silentLog,
    chainHead: { current: () => null },
    sweepDeliveries: createDeliverySweep(),
    keptDays: { events: 30, attempts: 30, sends: 30, trades: undefined, ...keptDays },
  };
  while (await keepPartitions(upkeep));
}
