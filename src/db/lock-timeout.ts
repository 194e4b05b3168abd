import postgres from 'postgres';

/** SQLSTATE. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** True when a statement gave up waiting for a lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === LOCK_NOT_AVAILABLE;
}
