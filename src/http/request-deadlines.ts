import { Deadlines } from '../shared/deadlines.ts';
import type { Logger } from '../shared/log.ts';

/** Every request gets its response within this time, long before the server closes a silent connection. */
export const REQUEST_DEADLINE_MS = 20_000;

/**
 * Deadline of requests that prefer to wait up to 25 s. It ends before the 28 s at which Bun may close a silent connection
 * with the least `IDLE_TIMEOUT_SECONDS`, 30.
 */
export const WAIT_DEADLINE_MS = 27_000;

/** Deadlines of responses. Failures after a deadline are logged. */
export function requestDeadlines(log: Logger, deadlineMs = REQUEST_DEADLINE_MS): Deadlines {
  return new Deadlines(deadlineMs, (err) => log.warn({ err }, 'request.failed_after_deadline'));
}
