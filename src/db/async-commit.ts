import type { Queryable, Transaction } from './client.ts';

/**
 * Lets this transaction's commit return before its log reached the disk: only for what another look at the rows
 * finds again (a lease, a mark). Others see it at once and a killed process loses nothing; a crash of the database
 * may lose the last 0.6 s of such commits, whole and in order, never one on which a later flushed one stands.
 */
export async function commitUnflushed(transaction: Transaction): Promise<void> {
  await transaction`set local synchronous_commit = off`;
}

/** SQL, always true: the same for a statement that is a transaction of its own; belongs into its `where`. */
export function unflushed(sql: Queryable) {
  return sql`set_config('synchronous_commit', 'off', true) is not null`;
}
