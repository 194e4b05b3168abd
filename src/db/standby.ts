import type { Queryable } from './client.ts';

/** What `databaseFailure` knows by its code: the server is a standby, and follows its primary from behind. */
class ServerIsStandby extends Error {
  override readonly name = 'ServerIsStandby';
  readonly code = 'SERVER_IS_STANDBY';
}

/** Rejects when the server is a standby: what was not found there may exist at its primary. */
export async function refuseStandby(db: Queryable): Promise<void> {
  const [row] = await db<{ isStandby: boolean }[]>`select pg_is_in_recovery() as is_standby`;
  if (row?.isStandby === true)
    throw new ServerIsStandby('a standby cannot say that something does not exist');
}
