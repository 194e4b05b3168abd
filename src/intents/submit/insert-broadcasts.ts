/**
 * Time from a submission until its broadcast job is due. The process that commits the submission sends it at
 * once, and postpones the job when a node has accepted it. Until then the worker leaves the job alone.
 */
export const FIRST_DUE_AFTER_MS = 1_000;

/**
 * SQL that inserts the broadcast jobs of submissions. `source` has their `id`, `submitted_at` and
 * `traceparent`. A job counts the first send before it is made, so that a process which is killed in between never
 * leaves a sent transaction that seems unsent.
 */
export function insertBroadcasts(source: string): string {
  return `insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
    select id, 1, submitted_at + interval '${FIRST_DUE_AFTER_MS} milliseconds', submitted_at, traceparent
    from ${source}`;
}
