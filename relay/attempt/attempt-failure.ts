import type { ReasonOf } from '../../src/shared/webhooks/attempt-reasons.ts';
import type { FailureCause, TransportErrorCode } from '../model/outcome.ts';

/** An attempt without a complete response. Code and reason are those of contract/delivery#result-codes. */
export class AttemptFailure extends Error {
  readonly code: TransportErrorCode;
  readonly reason: FailureCause['reason'];
  readonly status: number | null;

  constructor({ code, reason }: FailureCause, detail: string, status: number | null = null) {
    super(detail);
    this.name = 'AttemptFailure';
    this.code = code;
    this.reason = reason;
    this.status = status;
  }
}

/** The connection was closed in order before a response began. */
export class ClosedEarly extends Error {
  /** The code of a reset, because after both the request may be sent again on another connection. */
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection was closed before a response');
    this.name = 'ClosedEarly';
  }
}

/** An attempt to connect was ended so that another address could be tried. */
export class ConnectionTimedOut extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the connection was not made in time');
    this.name = 'ConnectionTimedOut';
  }
}

const DETAIL_LENGTH_MAX = 500;

/**
 * A cause in a form that may be stored and logged: one line of at most 500 characters. Parts of it come from the
 * destination. So queries, fragments and user names of URLs are removed, and characters that Postgres refuses.
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
 * Codes of failed handshakes and of certificate checks: some sixty names, which the runtime takes from the TLS library.
 * Their underscore distinguishes them from the codes of the system, and their beginning from those of the runtime.
 */
const TLS_ERROR = /^(?:ERR_TLS|ERR_SSL|EPROTO$|(?!ERR_|EAI_)[A-Z0-9]+_)/;

/** Turns an error of a connection into `tls_error` or `network_error`. */
export function connectionFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  const detail = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return new AttemptFailure(causeOf(error, code), detail);
}

function causeOf(error: unknown, code: string): FailureCause {
  if (TLS_ERROR.test(code)) return { code: 'tls_error', reason: tlsReasonOf(code) };
  if (error instanceof ClosedEarly) return { code: 'network_error', reason: 'connection_closed' };
  return { code: 'network_error', reason: networkReasons.get(code) ?? 'other' };
}

const networkReasons: ReadonlyMap<string, ReasonOf<'network_error'>> = new Map([
  ['ECONNREFUSED', 'connection_refused'],
  ['ETIMEDOUT', 'connection_timed_out'],
  ['ECONNRESET', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ERR_SOCKET_CLOSED', 'connection_reset'],
  ['EADDRNOTAVAIL', 'host_unreachable'],
  ['EHOSTDOWN', 'host_unreachable'],
  ['EHOSTUNREACH', 'host_unreachable'],
  ['ENETDOWN', 'host_unreachable'],
  ['ENETUNREACH', 'host_unreachable'],
]);

/** Codes with this beginning name a fault of the handshake. Every other code names a fault of a certificate. */
const HANDSHAKE_ERROR = /^(?:ERR_TLS|ERR_SSL|EPROTO$)/;

function tlsReasonOf(code: string): ReasonOf<'tls_error'> {
  if (['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(code)) return 'certificate_out_of_date';
  if (['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH', 'IP_ADDRESS_MISMATCH'].includes(code))
    return 'certificate_for_other_name';
  return HANDSHAKE_ERROR.test(code) ? 'handshake_failed' : 'certificate_not_trusted';
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
