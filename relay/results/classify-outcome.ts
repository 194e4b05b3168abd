import type { AttemptReason } from '../../src/shared/webhooks/attempt-reasons.ts';
import type { Outcome, TransportErrorCode } from '../attempt/outcome.ts';
import { parseRetryAfterMs } from './retry-after.ts';

/** What an outcome means: for its delivery see retry-schedule.ts, for its endpoint disable-endpoint.ts. */
export interface Verdict {
  succeeded: boolean;
  /** `lastErrorCode`; null on success. */
  errorCode: TransportErrorCode | 'signing_failed' | `http_${number}` | null;
  /** Which of several causes the code has; null where it is the whole cause. */
  errorReason: AttemptReason | null;
  /** False: nothing left the relay, so the result says nothing about the endpoint. */
  wasSent: boolean;
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
  if (outcome.kind === 'unsent') return { ...failure, ...codesOf(outcome.cause), wasSent: false };
  if (outcome.kind === 'failed')
    return { ...failure, ...codesOf(outcome), responseStatus: outcome.status, wasSent: true };
  const { status, retryAfter } = outcome;
  const succeeded = status >= 200 && status <= 299;
  return {
    succeeded,
    errorCode: succeeded ? null : `http_${status}`,
    errorReason: null,
    wasSent: true,
    responseStatus: status,
    gone: status === 410,
    pauseMs: status === 429 || status === 503 ? parseRetryAfterMs(retryAfter, now) : null,
  };
}

const failure = { succeeded: false, responseStatus: null, gone: false, pauseMs: null } as const;

function codesOf({ code, reason }: { code: Verdict['errorCode']; reason: AttemptReason | null }) {
  return { errorCode: code, errorReason: reason };
}
