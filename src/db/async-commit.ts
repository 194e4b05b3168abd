import type { Queryable } from './client.ts';

/**
 * SQL, always true: in the `where` of a statement that is a transaction of its own, or selected in a longer
 * one. Asynchronous commit: the commit returns before its log has reached the disk. Only for changes that the
 * next pass over the rows repeats (a lease, a mark, first attempts with the mark of their event). Other
 * sessions see the change immediately and a killed process loses nothing; a crash of the database may lose
 * the last 0.6 s of such commits, in order and none in part, and never one that a later flushed commit
 * depends on.
 */
export function asynchronousCommit(sql: Queryable) {
  return sql`set_config('synchronous_commit', 'off', true) is not null`;
}
