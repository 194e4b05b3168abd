import { Deadlines } from '../shared/deadlines.ts';
import type { Logger } from '../shared/log.ts';

/** Every request gets its response within this time, long before the server ends a silent connection. */
export const REQUEST_DEADLINE_MS = 20_000;

/** As above, for requests that prefer to wait up to 25 s. Before the 28 s at which Bun may end a silent connection. */
export const WAIT_DEADLINE_MS = 27_000;

/** Deadlines of responses. What fails after its own is logged. */
export function requestDeadlines(log: Logger, deadlineMs = REQUEST_DEADLINE_MS): Deadlines {
  return new Deadlines(deadlineMs, (err) => log.warn({ err }, 'request.failed_after_deadline'));
}
