import postgres from 'postgres';
import { systemFailures } from '../shared/system-failures.ts';

/**
 * Reasons why Postgres cannot be used, for `/readyz` and the log. A closed list: it keeps messages of the
 * server private, which may name addresses, users and databases.
 */
export const databaseFailures = {
  connection_refused: 'it refuses connections',
  connection_lost: 'the connection broke off',
  host_unknown: 'its host cannot be found',
  silent: 'it does not answer in time',
  pool_exhausted: 'no connection of the pool became free in time',
  password_refused: 'it refuses user or password',
  not_admitted: 'no entry of its pg_hba.conf admits this host with this user and database',
  clear_text_refused: 'no entry of its pg_hba.conf admits this connection without TLS',
  tls_missing: 'it offers no TLS',
  tls_failed: 'the TLS handshake with it fails',
  certificate_untrusted: 'its certificate is not signed by a trusted authority',
  certificate_name: 'its certificate is for another host name',
  certificate_expired: 'its certificate has expired or is not valid yet',
  role_refused: 'it refuses the role of this process',
  role_lost: 'its sessions do not work as the role of this process',
  limits_lost: 'its sessions do not have the limits of this process',
  parameter_refused: 'a connection pooler in front of it refuses start-up parameters',
  database_missing: 'the database does not exist',
  too_many_connections: 'it has too many connections',
  not_accepting: 'it starts, stops or recovers',
  read_only: 'it is read-only',
  standby: 'it is a standby',
  disk_full: 'its disk is full',
  out_of_resources: 'it is out of memory or another resource',
  input_output: 'it cannot read or write its files',
  statement_timeout: 'a statement took too long',
  lock_timeout: 'a lock was held for too long',
  deadlock: 'the transaction and another one waited for each other',
  session_ended: 'it ended the session',
} as const;

export type DatabaseFailure = keyof typeof databaseFailures;

/** Codes of the driver, the system and the TLS library. */
const CONNECTION_FAILURES: Readonly<Record<string, DatabaseFailure>> = {
  ...systemFailures,
  CONNECTION_CLOSED: 'connection_lost',
  CONNECTION_DESTROYED: 'connection_lost',
  CONNECTION_ENDED: 'connection_lost',
  CONNECT_TIMEOUT: 'silent',
  SERVER_SILENT: 'silent',
  POOL_EXHAUSTED: 'pool_exhausted',
  SERVER_IS_STANDBY: 'standby',
  SERVER_WITHOUT_TLS: 'tls_missing',
  EPROTO: 'tls_failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  CERT_REVOKED: 'certificate_untrusted',
  CERT_UNTRUSTED: 'certificate_untrusted',
  CERT_REJECTED: 'certificate_untrusted',
  CERT_SIGNATURE_FAILURE: 'certificate_untrusted',
  CERT_CHAIN_TOO_LONG: 'certificate_untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  INVALID_CA: 'certificate_untrusted',
  INVALID_PURPOSE: 'certificate_untrusted',
};
/** Codes of the TLS library: `ERR_SSL_WRONG_VERSION_NUMBER` and the like. */
const TLS_CODE = /^ERR_(?:SSL|TLS)_/;

/** SQLSTATE codes of a server that cannot serve now (PostgreSQL manual, appendix A). */
const STATES: Readonly<Record<string, DatabaseFailure>> = {
  '25006': 'read_only',
  '25P03': 'session_ended',
  '25P04': 'statement_timeout',
  '28000': 'password_refused',
  '28P01': 'password_refused',
  '3D000': 'database_missing',
  '40P01': 'deadlock',
  '53100': 'disk_full',
  '53300': 'too_many_connections',
  '55P03': 'lock_timeout',
  '57014': 'statement_timeout',
  '57P01': 'not_accepting',
  '57P02': 'not_accepting',
  '57P03': 'not_accepting',
  '57P04': 'database_missing',
  '57P05': 'session_ended',
};

/** Classes of SQLSTATE (the first two characters) whose codes all have one meaning here. */
const CLASSES: Readonly<Record<string, DatabaseFailure>> = {
  '08': 'connection_lost',
  '53': 'out_of_resources',
  '58': 'input_output',
};

/** Severities of errors that end a session or prevent one. */
const ENDING = new Set(['FATAL', 'PANIC']);
/** SQLSTATE of a refused start-up parameter: only `role` can be refused. */
const ROLE_REFUSED = new Set(['22023', '42501', '42704']);

const PROTOCOL_VIOLATION = '08P01';
/**
 * Messages of PgBouncer, which gives most of its refusals one SQLSTATE. It does not translate them.
 */
const POOLER_MESSAGES: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/unsupported (?:options )?startup parameter/, 'parameter_refused'],
  [/query_wait_timeout/, 'pool_exhausted'],
  [/no more connections allowed|client connections exceeded/, 'too_many_connections'],
  [/no such database/, 'database_missing'],
  [/no such user|authentication failed|login rejected/, 'password_refused'],
  [/server login has been failing|server down|cannot connect/, 'connection_refused'],
];

/** Classifies an error that keeps Postgres from serving; null for every other error. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (!(error instanceof postgres.PostgresError))
    return CONNECTION_FAILURES[error.code] ?? (TLS_CODE.test(error.code) ? 'tls_failed' : null);
  const pooler = error.code === PROTOCOL_VIOLATION ? poolerFailure(error.message) : undefined;
  if (pooler !== undefined) return pooler;
  const unadmitted = notAdmitted(error);
  if (unadmitted !== null) return unadmitted;
  const known = STATES[error.code] ?? CLASSES[error.code.slice(0, 2)];
  if (known !== undefined) return known;
  if (!ENDING.has(error.severity)) return null;
  return ROLE_REFUSED.has(error.code) ? 'role_refused' : 'session_ended';
}

function poolerFailure(message: string): DatabaseFailure | undefined {
  return POOLER_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}

/**
 * Recognises a connection that pg_hba.conf refuses before any password: it has the SQLSTATE of an unknown
 * user. `routine` is the same in every language; the message ends with the encryption of the connection.
 */
function notAdmitted({ code, routine, message }: postgres.PostgresError): DatabaseFailure | null {
  if (code !== '28000' || !(routine === 'ClientAuthentication' || message.includes('pg_hba.conf')))
    return null;
  return /(?:no encryption|SSL off)$/.test(message) ? 'clear_text_refused' : 'not_admitted';
}

/** Failures that a statement may cause itself: it may fail the same way every time. */
const OWN_FAILURES: ReadonlySet<DatabaseFailure> = new Set(['statement_timeout', 'lock_timeout', 'deadlock']);

/** True when Postgres was unavailable to all sessions: the failed work is not to blame. */
export function isDatabaseAway(error: unknown): boolean {
  const failure = databaseFailure(error);
  return failure !== null && !OWN_FAILURES.has(failure);
}
