/**
 * The server is a standby and replays its primary with a delay; `databaseFailure` knows this error by its
 * code.
 */
class ServerIsStandby extends Error {
  override readonly name = 'ServerIsStandby';
  readonly code = 'SERVER_IS_STANDBY';
}

/**
 * Throws for a row whose `pg_is_in_recovery()` is true: on the primary the record may have changed, gone, or
 * come.
 */
export function refuseStandby({ isStandby }: { isStandby: boolean }): void {
  if (isStandby) throw new ServerIsStandby('a standby does not know the state of its primary');
}
