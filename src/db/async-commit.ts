import type { Queryable } from './client.ts';

/**
 * SQL, always true: in the `where` of a statement that is a transaction of its own, or selected in a longer one. Asynchronous commit:
 * the transaction's commit returns before its log has reached the disk. Only for what the next pass over the rows finds again (a
 * lease, a mark, first attempts with the mark of their event). Others see it immediately and a killed process loses nothing; a crash
 * of the database may lose the last 0.6 s of such commits, whole and in order, never one on which a later flushed one stands.
 */
export function asynchronousCommit(sql: Queryable) {
  return sql`set_config('synchronous_commit', 'off', true) is not null`;
}
