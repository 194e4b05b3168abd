import type { ChainHeadSource } from '../../chain/head.ts';
import type { Database } from '../../db/client.ts';
import { dropExpiredPartitions, makePartitions, type PartitionPass } from '../../db/partitions.ts';
import {
  createDeliverySweep,
  type DeliverySweep,
} from '../../features/webhooks/deliveries/sweep-deliveries.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';

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
  signal: AbortSignal;
  chainHead: Pick<ChainHeadSource, 'current'>;
  keptDays: KeptDays;
}

/** Makes partitions ahead of time and drops expired ones, until the signal aborts. Any number of workers may do it. */
export async function runPartitionUpkeep(dependencies: PartitionUpkeepDependencies): Promise<void> {
  const sweep = createDeliverySweep();
  await runLoop({
    name: 'partitions',
    log: dependencies.log,
    signal: dependencies.signal,
    idleMs: IDLE_MS,
    step: () => keepPartitions(dependencies, sweep),
  });
}

/** Does one step; true when there are more deliveries to delete before a partition can be dropped. */
export async function keepPartitions(
  { db, clock, log, chainHead, keptDays }: Omit<PartitionUpkeepDependencies, 'signal'>,
  sweep: DeliverySweep,
): Promise<boolean> {
  logPass(log, 'partitions.made', await makePartitions(db, chainHead.current()?.slot ?? null));
  const now = clock.now();
  if (await sweep(db, now, keptDays.events, DELIVERIES_MAX)) return true;
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
