import type { Queryable } from './client.ts';

/** What becomes of a commit when the primary is gone (docs/operations/failover.md). */
export type StandbyState = 'none' | 'asynchronous' | 'synchronous' | 'missing' | 'not_awaited';

/**
 * Reads whether commits wait for a standby: `missing` when they wait and none is connected, `not_awaited` when
 * `synchronous_commit` of the session leaves out the wait. Needs no rights; a backup that is under way may
 * count as a standby.
 */
export async function readStandbyState(db: Queryable): Promise<StandbyState> {
  const [row] = await db<{ isNamed: boolean; isAwaited: boolean; isConnected: boolean }[]>`
    select current_setting('synchronous_standby_names') <> '' as is_named,
      current_setting('synchronous_commit') not in ('off', 'local') as is_awaited,
      exists (
        select from pg_stat_replication r where coalesce(state, 'streaming') = 'streaming'
          and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
      ) as is_connected`;
  if (row === undefined) throw new Error('the server returned no settings');
  const { isNamed, isAwaited, isConnected } = row;
  if (!isNamed) return isConnected ? 'asynchronous' : 'none';
  if (!isAwaited) return 'not_awaited';
  return isConnected ? 'synchronous' : 'missing';
}
