import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import type { Database } from '../client.ts';
import { dropExpiredPartitions, makePartitions, type PartitionPass } from '../partitions.ts';
import type { StepJob } from './job.ts';

const IDLE_MS = 60_000;
const DELIVERIES_MAX = 1_000;

/** Minimum days for which rows are kept; trades for ever when undefined. */
export interface KeptDays {
  events: number;
  attempts: number;
  sends: number;
  trades: number | undefined;
}

export interface PartitionUpkeepDependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  chainHead: { current(): { slot: bigint } | null };
  keptDays: KeptDays;
  /** Deletes deliveries of events older than `keepDays`, at most `limit`; false when none is left. */
  sweepDeliveries(db: Database, now: Date, keepDays: number, limit: number): Promise<boolean>;
}

/** The job that makes partitions ahead of time and drops expired ones. Any number of workers may do it. */
export function partitionUpkeep(dependencies: PartitionUpkeepDependencies): StepJob {
  return { name: 'partitions', everyMs: IDLE_MS, step: () => keepPartitions(dependencies) };
}

/** Does one step; true when there are more deliveries to delete before a partition can be dropped. */
export async function keepPartitions({
  db,
  clock,
  log,
  chainHead,
  keptDays,
  sweepDeliveries,
}: PartitionUpkeepDependencies): Promise<boolean> {
  logPass(log, 'partitions.made', await makePartitions(db, chainHead.current()?.slot ?? null));
  const now = clock.now();
  if (await sweepDeliveries(db, now, keptDays.events, DELIVERIES_MAX)) return true;
  const drop = async (table: Parameters<typeof dropExpiredPartitions>[1], days: number) =>
    logPass(log, 'partitions.dropped', await dropExpiredPartitions(db, table, now, days));
  await drop('events', keptDays.events);
  await drop('webhook_attempts', keptDays.attempts);
  await drop('intent_sends', keptDays.sends);
  if (keptDays.trades !== undefined) await drop('trades', keptDays.trades);
  return false;
}

function logPass(log: Logger, message: string, { changed, isBusy }: PartitionPass): void {
  if (changed.length > 0) log.info({ partitions: changed }, message);
  if (isBusy) log.info('partitions.busy');
}
