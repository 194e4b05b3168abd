import { advisoryLocks, withAdvisoryLock } from '../../db/advisory-lock.ts';
import type { StepJob } from '../../db/jobs/job.ts';
import { wait } from '../../shared/loop.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import { addTokens, countNext, type HolderCountDependencies } from './count-holders.ts';

/** Another worker takes over from one that died within this time, and a new token is counted within it. */
const IDLE_MS = 1_000;
/** Interval of searches for new tokens without a trade: each reads all keys. */
const ADD_EVERY_MS = 5_000;
/** Lists are read one by one, for at most half of the time: at most four a second. */
const PAUSE_MIN_MS = 250;

/**
 * The job that counts the holders of all tokens. One worker does it for all, so that nodes are called once; a
 * worker that lost the lock without noticing changes nothing any more.
 */
export function holderCounts(dependencies: Omit<HolderCountDependencies, 'signal'>): StepJob {
  return {
    name: 'holder-counts',
    everyMs: IDLE_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(dependencies.db, advisoryLocks.holderCounts, (held) =>
        countUntil(
          { ...dependencies, db: held.database, signal: AbortSignal.any([stop, held.signal]) },
          pulse,
        ),
      );
      return false;
    },
  };
}

async function countUntil(dependencies: HolderCountDependencies, pulse: LoopPulse): Promise<void> {
  const { signal } = dependencies;
  let addAtMs = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    if (startedAt >= addAtMs && !(await addTokens(dependencies))) addAtMs = startedAt + ADD_EVERY_MS;
    // The list of a large token takes minutes.
    const outcome = await pulse.rest(countNext(dependencies));
    const pauseMs = outcome === null ? IDLE_MS : Math.max(PAUSE_MIN_MS, performance.now() - startedAt);
    await pulse.rest(wait(pauseMs, signal));
  }
}
