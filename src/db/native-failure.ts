import { SQL } from 'bun';
import postgres from 'postgres';
import { type DatabaseFailure, databaseFailure } from './failure.ts';

/** Codes of Bun's client, as the driver names the same failures. */
const CODES: Readonly<Record<string, string>> = {
  // Also for a host that has no address.
  ERR_POSTGRES_CONNECTION_REFUSED: 'ECONNREFUSED',
  ERR_POSTGRES_CONNECTION_CLOSED: 'CONNECTION_CLOSED',
  ERR_POSTGRES_CONNECTION_FAILED: 'CONNECTION_DESTROYED',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'CONNECT_TIMEOUT',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: 'SERVER_WITHOUT_TLS',
};

/** A failure of the connection; `databaseFailure` knows its codes. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error of Bun's client as the driver would throw it. Errors of the TLS library are the same in both. */
export function driverError(error: unknown): unknown {
  if (!(error instanceof SQL.PostgresError)) return error;
  if (error.errno !== undefined) return serverError(error);
  const code = CODES[error.code];
  return code === undefined ? error : new ConnectionFailure(code, error.message, { cause: error });
}

function serverError(error: SQL.PostgresError): postgres.PostgresError {
  const { message, errno, severity, detail, hint, position, where, routine, file, line } = error;
  const fields = {
    message,
    code: errno,
    severity,
    severity_local: severity,
    detail,
    hint,
    position,
    where,
    routine,
    file,
    line,
    schema_name: error.schema,
    table_name: error.table,
    column_name: error.column,
    constraint_name: error.constraint,
  };
  // Its declaration has the constructor of Error; it takes the fields of the server's message.
  return new postgres.PostgresError(fields as never);
}

/** Whether a connection could not be opened, rather than one that was open being lost. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionFailure && error.code === 'CONNECTION_DESTROYED') return true;
  const failure = databaseFailure(error);
  return failure !== null && OUTAGES.has(failure);
}

const OUTAGES: ReadonlySet<DatabaseFailure> = new Set([
  'connection_refused',
  'host_unknown',
  'silent',
  'password_refused',
  'not_admitted',
  'clear_text_refused',
  'tls_missing',
  'tls_failed',
  'certificate_untrusted',
  'certificate_name',
  'certificate_expired',
  'role_refused',
  'database_missing',
  'too_many_connections',
  'standby',
]);
