import { ConnectionError, ProblemError, UnexpectedResponseError } from './errors.ts';
import type { ProblemCode } from './operations.ts';

/** The rules of repetition. */
export interface RetryOptions {
  /** How often a request is repeated after its first attempt. */
  maxRetries: number;
  /** First pause in milliseconds; each further pause is twice as long, and none is shorter than the service asks for. */
  baseDelayMs: number;
  /** The longest of these pauses. */
  maxBackOffMs: number;
  /** After a longer `Retry-After` the error is thrown instead. */
  maxDelayMs: number;
}

/**
 * The pauses add up to 26 to 53 s, and to more if the service asks for longer ones. A restart of the only api takes half
 * a second and the start of its container, and at most 15 s more while it finishes what it holds.
 */
export const defaultRetries: RetryOptions = {
  maxRetries: 14,
  baseDelayMs: 250,
  maxBackOffMs: 5_000,
  maxDelayMs: 60_000,
};

/** Refusals that waiting does not change, although their status says "later". */
const lasting: ReadonlySet<ProblemCode> = new Set(['launches_unavailable', 'images_unavailable']);
/** The one conflict that ends by itself. */
const passing: ReadonlySet<ProblemCode> = new Set(['idempotency_request_in_progress']);

/**
 * Milliseconds until the request may be sent again, or undefined when it may not. `retry` counts from 0, `random` is
 * from 0 to 1. Repeating a change is safe, because it keeps its idempotency key.
 */
export function retryDelay(
  error: unknown,
  retry: number,
  { maxRetries, baseDelayMs, maxBackOffMs, maxDelayMs }: RetryOptions,
  random: number,
): number | undefined {
  if (retry >= maxRetries || !mayRepeat(error)) return undefined;
  const backOffMs = Math.min(baseDelayMs * 2 ** Math.min(retry, 30), maxBackOffMs, maxDelayMs);
  const growingMs = backOffMs * (0.5 + random / 2);
  const asked = error instanceof ConnectionError ? undefined : error.retryAfterSeconds;
  if (asked === undefined) return growingMs;
  if (asked * 1000 > maxDelayMs) return undefined;
  // Never sooner than requested, and spread over clients. A service that always asks for a second, or for none, does
  // not know when it is back.
  return Math.max(growingMs, asked * 1000 + baseDelayMs * random);
}

type Repeatable = ProblemError | ConnectionError | UnexpectedResponseError;

function mayRepeat(error: unknown): error is Repeatable {
  if (error instanceof ConnectionError) return true;
  if (error instanceof UnexpectedResponseError)
    return isPassingStatus(error.status) || isCutOff(error.status);
  if (!(error instanceof ProblemError)) return false;
  if (passing.has(error.code)) return true;
  return isPassingStatus(error.status) && !lasting.has(error.code);
}

function isPassingStatus(status: number): boolean {
  return status === 429 || status === 500 || (status >= 502 && status <= 504);
}

/** A success with an unexpected body was damaged on its way. */
function isCutOff(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Seconds of a `Retry-After` header: a number, or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1000));
}
