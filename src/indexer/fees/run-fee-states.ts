import { advisoryLocks, withAdvisoryLock } from '../../db/advisory-lock.ts';
import type { StepJob } from '../../db/jobs/job.ts';
import { wait } from '../../shared/loop.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import { FeeRefresh, type FeeRefreshDependencies } from './fee-refresh.ts';

/** Pause between two requests while pools are due. */
const PACE_MS = 250;
/**
 * Pause between two checks when no pool is due; another worker takes over from one that died within this
 * time.
 */
const IDLE_MS = 2_000;

/**
 * The job that updates the fees of tokens from their pools. One worker does it for all, so that nodes are called
 * once. The lock only saves work: a state never replaces a newer one, whichever worker writes it.
 */
export function feeStates(dependencies: FeeRefreshDependencies): StepJob {
  return {
    name: 'fee-states',
    everyMs: IDLE_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(dependencies.db, advisoryLocks.feeStates, (held) =>
        refreshUntil(dependencies, AbortSignal.any([stop, held.signal]), pulse),
      );
      return false;
    },
  };
}

async function refreshUntil(
  dependencies: FeeRefreshDependencies,
  signal: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  const refresh = new FeeRefresh(dependencies);
  while (!signal.aborted) {
    const wasDue = await refresh.step();
    await pulse.rest(wait(wasDue ? PACE_MS : IDLE_MS, signal));
  }
}
