import type { Queryable } from '../../../db/client.ts';

/**
 * SQL: when the broadcast job of a submission is first due. The process that commits the submission sends it
 * at once, and postpones the job when a node has accepted it. Until this time the worker leaves the job
 * alone.
 */
export function firstDue(sql: Queryable, submittedAt: ReturnType<Queryable>) {
  return sql`${submittedAt} + interval '1 second'`;
}
