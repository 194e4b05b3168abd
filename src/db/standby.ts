/** What `databaseFailure` knows by its code: the server is a standby, and follows its primary from behind. */
class ServerIsStandby extends Error {
  override readonly name = 'ServerIsStandby';
  readonly code = 'SERVER_IS_STANDBY';
}

/** Throws for a row whose `pg_is_in_recovery()` is true: at the primary it may be changed, gone, or there. */
export function refuseStandby({ isStandby }: { isStandby: boolean }): void {
  if (isStandby) throw new ServerIsStandby('a standby does not know what holds at its primary');
}
