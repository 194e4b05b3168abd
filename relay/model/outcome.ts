import type { AttemptReason, CodeWithReasons, ReasonOf } from '../../src/shared/webhooks/attempt-reasons.ts';

/** Codes of attempts without a complete response (contract/delivery#result-codes). */
export type TransportErrorCode = CodeWithReasons | 'request_timeout' | 'redirect_limit_exceeded';

/** A code, and the reason where the code has several causes. */
export type FailureCause =
  | { code: Exclude<TransportErrorCode, CodeWithReasons>; reason: null }
  | { [Code in CodeWithReasons]: { code: Code; reason: ReasonOf<Code> } }[CodeWithReasons];

/** Nothing left the relay. */
export type UnsentCause =
  | { code: 'signing_failed'; reason: null }
  | { code: 'network_error'; reason: 'event_missing' };

export type SendOutcome =
  | {
      kind: 'responded';
      status: number;
      /** The `Retry-After` header, unparsed. */
      retryAfter: string | null;
    }
  | {
      kind: 'failed';
      code: TransportErrorCode;
      /** Null where the code has one cause. */
      reason: AttemptReason | null;
      /** Which hop or phase failed and why, for operators: at most 500 characters, never with secrets. */
      detail: string;
      /** The status of the response that was cut off or not followed. */
      status: number | null;
    };

export type Outcome = SendOutcome | { kind: 'unsent'; cause: UnsentCause; detail: string };

/** What is stored of an attempt beside its outcome. Durations in whole milliseconds, null when not reached. */
export interface AttemptTrace {
  resolvedAddress: string | null;
  redirectCount: number;
  /** Target of the last request, `https://host:port`; null where the URL is none. */
  hopOrigin: string | null;
  connectionReused: boolean;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  totalMs: number;
  /** First 1 KiB of the last response. */
  bodyStart: Uint8Array | null;
}
