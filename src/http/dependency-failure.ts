import postgres from 'postgres';
import { LoadRefused } from './load-gate.ts';

/** Driver codes of a lost or refused connection. */
const CONNECTION_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);

/** SQLSTATE classes and codes of a server that cannot serve now (PostgreSQL manual, appendix A). */
const UNAVAILABLE_STATES = new Set(['53300', '57P01', '57P02', '57P03']);

/** True when Postgres could not be reached or could not serve, or may not be asked now: the code did not fail. */
export function isDependencyFailure(error: unknown): boolean {
  if (error instanceof LoadRefused) return true;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  if (error instanceof postgres.PostgresError) return UNAVAILABLE_STATES.has(error.code);
  return CONNECTION_CODES.has(error.code);
}
