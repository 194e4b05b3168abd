import { isLaunchwireError } from '../errors.ts';
import type { Transport } from '../request.ts';
import { retryDelay } from '../retry.ts';
import { asConnectionError } from './connection.ts';
import type { EndMessage } from './messages.ts';

const MAX_DELAY_MS = 30_000;
/** The least pause between two connections. */
const MIN_DELAY_MS = 100;

/** Where a stream continues after its connection has ended. */
export interface Position {
  cursor: string | undefined;
  /** Connections in a row that brought no message. */
  failures: number;
  wasOpen: boolean;
  /** The pause that the service asks for when a connection breaks. */
  retryMs: number;
}

/** Milliseconds until a stream that the service ended may be opened again. */
export function delayOfEnd({ retryAfterMs }: EndMessage): number {
  return Math.min(Math.max(retryAfterMs, MIN_DELAY_MS), MAX_DELAY_MS);
}

/** A stream that was open is reopened while the loop runs. A refusal ends it at any time. */
export function delayAfter(error: unknown, position: Position, { retries }: Transport): number {
  const known = isLaunchwireError(error) ? error : asConnectionError(error);
  const maxRetries = position.wasOpen ? Number.POSITIVE_INFINITY : retries.maxRetries;
  const limits = { ...retries, maxRetries, maxBackOffMs: MAX_DELAY_MS, maxDelayMs: MAX_DELAY_MS };
  const delayMs = retryDelay(known, position.failures, limits, Math.random());
  if (delayMs === undefined) throw known;
  position.failures += 1;
  return Math.max(delayMs, Math.min(position.retryMs, MAX_DELAY_MS));
}
