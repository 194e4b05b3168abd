import type { AttemptReason } from '../../src/shared/webhooks/attempt-reasons.ts';
import type { Claim } from './claim.ts';
import type { AttemptTransition } from './delivery-transitions.ts';
import type { AttemptTrace, TransportErrorCode } from './outcome.ts';

/** What an outcome means for its delivery (retry-schedule.ts) and its endpoint (disable-endpoint.ts). */
export interface Verdict {
  succeeded: boolean;
  /** `lastErrorCode`; null on success. */
  errorCode: TransportErrorCode | 'signing_failed' | `http_${number}` | null;
  /** Which of the causes of the code; null where the code has one cause. */
  errorReason: AttemptReason | null;
  /** False: nothing left the relay, so the result does not count for or against the endpoint. */
  wasSent: boolean;
  responseStatus: number | null;
  /** 410: no further attempt, and the endpoint is disabled (contract/delivery#gone). */
  gone: boolean;
  /** How long the whole endpoint is paused: `Retry-After` of a 429 or 503. Null without a pause. */
  pauseMs: number | null;
}

/** What happens to a delivery after an attempt. */
export type NextStep =
  | { transition: Exclude<AttemptTransition, 'failed'> }
  | { transition: 'failed'; delayMs: number };

/** A finished attempt. */
export interface AttemptResult {
  claim: Claim;
  verdict: Verdict;
  /** Why it failed, in words (`storableDetail`); null when the status says it all. */
  errorDetail: string | null;
  trace: AttemptTrace;
  step: NextStep;
  /** Monotonic. */
  startedAtMs: number;
  /** Monotonic, and no earlier. */
  endedAtMs: number;
}
