import type { AttemptReason, CodeWithReasons, ReasonOf } from '../../src/shared/webhooks/attempt-reasons.ts';

/** Codes of attempts without a complete response (contract/delivery#result-codes). */
export type TransportErrorCode = CodeWithReasons | 'request_timeout' | 'redirect_limit_exceeded';

/** A code, with the reason if the code has several causes. */
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
      /** Null if the code has one cause. */
      reason: AttemptReason | null;
      /** Which hop or phase failed and why, for operators. At most 500 characters, without secrets. */
      detail: string;
      /** The status of a response that was cut off, or of a redirect that was not followed. */
      status: number | null;
    };

export type Outcome = SendOutcome | { kind: 'unsent'; cause: UnsentCause; detail: string };

/** The stored facts of an attempt beside its outcome. Durations are whole milliseconds; null if not reached. */
export interface AttemptTrace {
  resolvedAddress: string | null;
  redirectCount: number;
  /** Target of the last request, `https://host:port`; null if the URL is invalid. */
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
