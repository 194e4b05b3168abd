import type { AttemptReason } from '../../src/shared/webhooks/attempt-reasons.ts';
import type { Claim } from './claim.ts';
import type { AttemptTransition } from './delivery-transitions.ts';
import type { AttemptTrace, TransportErrorCode } from './outcome.ts';

/** What an outcome means for its delivery (retry-schedule.ts) and its endpoint (endpoint-consequences.ts). */
export interface Verdict {
  succeeded: boolean;
  /** `lastErrorCode`; null on success. */
  errorCode: TransportErrorCode | 'signing_failed' | `http_${number}` | null;
  /** The cause, if the code has several; otherwise null. */
  errorReason: AttemptReason | null;
  /** False if nothing left the relay: the result counts neither for nor against the endpoint. */
  wasSent: boolean;
  responseStatus: number | null;
  /** 410: no further attempt, and the endpoint is disabled (contract/delivery#gone). */
  gone: boolean;
  /** How long the whole endpoint is paused: `Retry-After` of a 429 or 503. Null if it is not paused. */
  pauseMs: number | null;
}

/** The change of a delivery after an attempt. */
export type NextStep =
  | { transition: Exclude<AttemptTransition, 'failed'> }
  | { transition: 'failed'; delayMs: number };

/** A finished attempt. */
export interface AttemptResult {
  claim: Claim;
  verdict: Verdict;
  /** Why it failed, in words (`storableDetail`); null if there was a response. */
  errorDetail: string | null;
  trace: AttemptTrace;
  step: NextStep;
  /** Monotonic. */
  startedAtMs: number;
  /** Monotonic, not before `startedAtMs`. */
  endedAtMs: number;
}
