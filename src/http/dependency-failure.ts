import { databaseFailure } from '../db/failure.ts';

/** True when Postgres could not be reached or could not serve: the request failed, the code did not. */
export function isDependencyFailure(error: unknown): boolean {
  return databaseFailure(error) !== null;
}
