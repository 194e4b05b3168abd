import type { Database } from '../../db/client.ts';
import { recountQueuedTraders } from '../../indexer/store/recount-traders.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueCondition, type DueWork } from './due-work.ts';

export interface TradersJobDependencies {
  db: Database;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

const isTraderDue: DueCondition = (db) => db`exists (select from trader_recounts)`;

/**
 * Computes again the pairs that the statements which store trades leave over, those with a long history, until the
 * signal aborts. Short steps, any number of workers.
 */
export async function runTraders({ db, dueWork, log, signal }: TradersJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const unwatch = dueWork.watch(isTraderDue, wakeup);
  await runLoop({
    name: 'traders',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => recountQueuedTraders(db),
  });
  unwatch();
}
