import { databaseFailure } from '../db/failure.ts';
import { LoadRefused } from './load-gate.ts';

/** True when Postgres could not be reached or could not serve, or may not be asked now: the code did not fail. */
export function isDependencyFailure(error: unknown): boolean {
  return error instanceof LoadRefused || databaseFailure(error) !== null;
}
