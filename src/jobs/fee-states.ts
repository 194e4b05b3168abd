import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { FeeRefresh, type FeeRefreshDependencies } from '../indexer/fees/fee-refresh.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop, wait } from '../shared/loop.ts';

/** Between two requests while pools are due. */
const PACE_MS = 250;
/** Between two looks when none is. */
const IDLE_MS = 2_000;

export interface FeeStatesJobDependencies {
  dependencies: FeeRefreshDependencies;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Keeps the fees of tokens as their pools say, until the signal aborts. One worker at a time does a step for all, so that
 * nodes are called once. The lock only saves work: a state never gives way to an older one, whoever writes it.
 */
export async function runFeeStates({ dependencies, log, signal }: FeeStatesJobDependencies): Promise<void> {
  await runLoop({
    name: 'fee-states',
    log,
    signal,
    idleMs: IDLE_MS,
    async step(stop) {
      const done = await withAdvisoryLock(dependencies.db, advisoryLocks.feeStates, ({ database }) =>
        new FeeRefresh({ ...dependencies, db: database }).step(),
      );
      if (done?.value !== true) return false;
      await wait(PACE_MS, stop);
      return true;
    },
  });
}
