import type { Outcome, TransportErrorCode } from '../attempt/outcome.ts';
import { parseRetryAfterMs } from './retry-after.ts';

/** What an outcome means: for its delivery see retry-schedule.ts, for its endpoint disable-endpoint.ts. */
export interface Verdict {
  succeeded: boolean;
  /** `lastErrorCode`; null on success. */
  errorCode: TransportErrorCode | `http_${number}` | null;
  responseStatus: number | null;
  /** 410: no further attempt, and the endpoint is disabled (contract/delivery#gone). */
  gone: boolean;
  /** 429 and 503 with `Retry-After`: the whole endpoint is paused this long. */
  pauseMs: number | null;
}

/**
 * Decides whether an attempt succeeded, whether it disables its endpoint and how long the endpoint is to be paused
 * (contract/delivery#success). Pure; `now` only turns an HTTP date into a duration.
 */
export function classify(outcome: Outcome, now: Date): Verdict {
  if (outcome.kind === 'failed') {
    const { code, status } = outcome;
    return { succeeded: false, errorCode: code, responseStatus: status, gone: false, pauseMs: null };
  }
  const { status, retryAfter } = outcome;
  const succeeded = status >= 200 && status <= 299;
  return {
    succeeded,
    errorCode: succeeded ? null : `http_${status}`,
    responseStatus: status,
    gone: status === 410,
    pauseMs: status === 429 || status === 503 ? parseRetryAfterMs(retryAfter, now) : null,
  };
}
