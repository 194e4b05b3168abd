import type { AttemptReason, CodeWithReasons, ReasonOf } from '../../src/shared/webhooks/attempt-reasons.ts';

/** Codes of attempts without a complete response (contract/delivery#result-codes). */
export type TransportErrorCode = CodeWithReasons | 'request_timeout' | 'redirect_limit_exceeded';

/** A code, and the reason of one that has several. */
export type FailureCause =
  | { code: Exclude<TransportErrorCode, CodeWithReasons>; reason: null }
  | { [Code in CodeWithReasons]: { code: Code; reason: ReasonOf<Code> } }[CodeWithReasons];

/** Nothing left the relay, which says nothing about the endpoint. */
export type UnsentCause =
  | { code: 'signing_failed'; reason: null }
  | { code: 'network_error'; reason: 'event_missing' };

/** How sending ended. */
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
      /** Null where the code is the whole cause. */
      reason: AttemptReason | null;
      /** Which hop or phase failed and why, for operators: at most 500 characters, never with secrets. */
      detail: string;
      /** The status of the response that was cut off or not followed. */
      status: number | null;
    };

/** How an attempt ended. */
export type Outcome = SendOutcome | { kind: 'unsent'; cause: UnsentCause; detail: string };

/** What is stored of an attempt beside its outcome. Durations in whole milliseconds, null when not reached. */
export interface AttemptTrace {
  resolvedAddress: string | null;
  redirectCount: number;
  /** Where the last request went, or was to go: `https://host:port`, without user, path and query. Null for what is no URL. */
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
