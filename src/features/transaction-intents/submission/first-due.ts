import type { Queryable } from '../../../db/client.ts';

/**
 * SQL: when the broadcast job of a submission is due first. The process that commits the submission sends it at once and
 * moves this on when a node has taken it; until then the worker leaves the job alone, and afterwards it sends.
 */
export function firstDue(sql: Queryable, submittedAt: ReturnType<Queryable>) {
  return sql`${submittedAt} + interval '1 second'`;
}
