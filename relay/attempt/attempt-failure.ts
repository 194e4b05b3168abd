import type { TransportErrorCode } from './outcome.ts';

/** An attempt that ends without a complete response; carries the code of contract/delivery#result-codes. */
export class AttemptFailure extends Error {
  readonly code: TransportErrorCode;
  readonly status: number | null;

  constructor(code: TransportErrorCode, detail: string, status: number | null = null) {
    super(detail);
    this.name = 'AttemptFailure';
    this.code = code;
    this.status = status;
  }
}

const DETAIL_LENGTH_MAX = 500;

/**
 * A cause in a form that may be stored and logged: one line of at most 500 characters. Queries, fragments and user
 * names of URLs are removed, and so are characters that Postgres refuses: parts of it come from the destination.
 */
export function storableDetail(text: string): string {
  return text
    .slice(0, 4 * DETAIL_LENGTH_MAX)
    .replaceAll(/:\/\/(?:[^\s/?#@]*@)*([^\s?#]*)(?:[?#]\S*)?/g, '://$1')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, DETAIL_LENGTH_MAX)
    .toWellFormed();
}

/**
 * Codes of failed handshakes, and those of certificate checks: some sixty names, which the runtime takes from the TLS library. They are
 * distinguished from the codes of the system by their underscore, and from the runtime's own by their beginning.
 */
const TLS_ERROR = /^(?:ERR_TLS|ERR_SSL|EPROTO$|(?!ERR_|EAI_)[A-Z0-9]+_)/;

/** Turns an error of a connection into `tls_error` or `network_error`. */
export function connectionFailure(error: unknown, status: number | null): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  const detail = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return new AttemptFailure(TLS_ERROR.test(code) ? 'tls_error' : 'network_error', detail, status);
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
