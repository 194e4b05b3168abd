/**
 * Time from a submission until its broadcast job is due. The process that commits the submission sends it at
 * once, and postpones the job when a node has accepted it. Until then the worker leaves the job alone.
 */
export const FIRST_DUE_AFTER_MS = 1_000;

/**
 * When the job of a protected transaction is due for a release that knows no routes. Not `infinity`, from which
 * Postgres before 17 subtracts nothing.
 */
const NEVER = '9999-12-31T00:00:00Z';

/**
 * SQL that inserts the broadcast jobs of submissions. `source` has their `id`, `send_route`, `submitted_at` and
 * `traceparent`. A job counts the first send before it is made, so that a process which is killed in between never
 * leaves a sent transaction that seems unsent.
 */
export function insertBroadcasts(source: string): string {
  const due = `submitted_at + interval '${FIRST_DUE_AFTER_MS} milliseconds'`;
  return `insert into intent_broadcasts (intent_id, send_count, next_send_at, protected_send_at, created_at, traceparent)
    select id, 1, case when send_route = 'fast' then ${due} else '${NEVER}' end,
      case when send_route <> 'fast' then ${due} end, submitted_at, traceparent
    from ${source}`;
}
