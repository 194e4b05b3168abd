import postgres from 'postgres';

/**
 * Why Postgres cannot be used, as `/readyz` and the log say it. A closed list: no message of the server, which may
 * name addresses, users and databases, gets out this way.
 */
export const databaseFailures = {
  connection_refused: 'it refuses connections',
  connection_lost: 'the connection broke off',
  host_unknown: 'its host cannot be found',
  silent: 'it does not answer in time',
  pool_exhausted: 'no connection of the pool becomes free',
  password_refused: 'it refuses user or password',
  role_refused: 'it refuses the role of this process',
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
  session_ended: 'it ended the session',
} as const;

export type DatabaseFailure = keyof typeof databaseFailures;

/** Codes of the driver and the system. `ENOTFOUND` and the like come from the resolver. */
const CONNECTION_FAILURES: Readonly<Record<string, DatabaseFailure>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  CONNECTION_CLOSED: 'connection_lost',
  CONNECTION_DESTROYED: 'connection_lost',
  CONNECTION_ENDED: 'connection_lost',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  ETIMEDOUT: 'silent',
  CONNECT_TIMEOUT: 'silent',
  SERVER_SILENT: 'silent',
  POOL_EXHAUSTED: 'pool_exhausted',
  SERVER_IS_STANDBY: 'standby',
};

/** SQLSTATE codes of a server that cannot serve now (PostgreSQL manual, appendix A). */
const STATES: Readonly<Record<string, DatabaseFailure>> = {
  '25006': 'read_only',
  '25P03': 'session_ended',
  '25P04': 'statement_timeout',
  '28000': 'password_refused',
  '28P01': 'password_refused',
  '3D000': 'database_missing',
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

/** Classes of SQLSTATE (their first two characters) of which every code means the same. */
const CLASSES: Readonly<Record<string, DatabaseFailure>> = {
  '08': 'connection_lost',
  '53': 'out_of_resources',
  '58': 'input_output',
};

/** Severities of an error that ends the session, or with which none begins. */
const ENDING = new Set(['FATAL', 'PANIC']);
/** SQLSTATE of a start-up parameter that is refused: `role` is the one that can be. */
const ROLE_REFUSED = new Set(['22023', '42501', '42704']);

/** What keeps Postgres from serving; null for every other error, which says nothing of the server. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (!(error instanceof postgres.PostgresError)) return CONNECTION_FAILURES[error.code] ?? null;
  const known = STATES[error.code] ?? CLASSES[error.code.slice(0, 2)];
  if (known !== undefined) return known;
  if (!ENDING.has(error.severity)) return null;
  return ROLE_REFUSED.has(error.code) ? 'role_refused' : 'session_ended';
}

/** Failures that a statement may bring upon itself: repeated, it may fail the same way for ever. */
const OWN_FAILURES: ReadonlySet<DatabaseFailure> = new Set(['statement_timeout', 'lock_timeout']);

/** True when Postgres was away, or could not serve anybody: that says nothing about the work that met it. */
export function isDatabaseAway(error: unknown): boolean {
  const failure = databaseFailure(error);
  return failure !== null && !OWN_FAILURES.has(failure);
}
