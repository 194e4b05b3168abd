import type { Database } from '../../db/client.ts';
import { foldOlderTrades } from '../../indexer/store/count-traders.ts';
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

const isTraderDue: DueCondition = (db) =>
  db`(exists (select from trader_recounts) or exists (select from trader_backfills))`;

/**
 * Folds what the statements that store trades leave over, until the signal aborts: pairs of the release before,
 * long histories of a wallet, and trades that are older than `token_traders`. Short steps, any number of workers.
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
    step: async () => {
      const recounted = await recountQueuedTraders(db);
      return (await foldOlderTrades(db)) || recounted;
    },
  });
  unwatch();
}
