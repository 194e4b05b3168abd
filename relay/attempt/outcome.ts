/** Codes of attempts without a complete response (contract/delivery#result-codes). */
export type TransportErrorCode =
  | 'request_timeout'
  | 'network_error'
  | 'dns_error'
  | 'tls_error'
  | 'url_disallowed'
  | 'redirect_limit_exceeded';

/** How an attempt ended. */
export type Outcome =
  | {
      kind: 'responded';
      status: number;
      /** The `Retry-After` header, unparsed. */
      retryAfter: string | null;
    }
  | {
      kind: 'failed';
      code: TransportErrorCode;
      /** Which hop or phase failed and why, for operators: at most 500 characters, never with secrets. */
      detail: string;
      /** The status of the response that was cut off or not followed. */
      status: number | null;
    };

/** What is stored of an attempt beside its outcome. Durations in whole milliseconds, null when not reached. */
export interface AttemptTrace {
  resolvedAddress: string | null;
  redirectCount: number;
  connectionReused: boolean;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  totalMs: number;
  /** First 1 KiB of the last response. */
  bodyStart: Uint8Array | null;
}
