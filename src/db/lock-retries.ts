import { setTimeout as delay } from 'node:timers/promises';
import { LOCK_NOT_AVAILABLE } from './lock-timeout.ts';

/** SQLSTATE of a transaction that ended because of the locks of others: nothing of it was done. */
const LOCK_STATES = new Set(['40P01', LOCK_NOT_AVAILABLE]);
/** At least five minutes: a backup keeps its locks until it has read everything. */
const TRIES = 200;
/** What waited for the locks of the last try is done before the next one, mostly. */
const PAUSE_MS = 2_000;

/** Runs a transaction again when a deadlock or a lock time-out ended it, at most two hundred times in all. */
export async function throughLocks<Result>(
  run: () => Promise<Result>,
  onRetry: () => void = () => {},
): Promise<Result> {
  for (let triesLeft = TRIES - 1; ; triesLeft -= 1) {
    try {
      return await run();
    } catch (error) {
      if (triesLeft === 0 || !isEndedByLocks(error)) throw error;
      onRetry();
      await delay(Math.random() * PAUSE_MS);
    }
  }
}

/** The query builder wraps errors of the driver. */
function isEndedByLocks(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return LOCK_STATES.has(error.code);
  return isEndedByLocks(error.cause);
}
