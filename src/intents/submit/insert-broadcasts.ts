/**
 * SQL that inserts the broadcast jobs of submissions. `source` has their `id`, `submitted_at`, `next_send_at` and
 * `traceparent`. The process that commits the submission sends it at once, so the job is due at the first resend. It
 * counts the first send before that is made, so that a process which is killed in between never leaves a sent
 * transaction that seems unsent.
 */
export function insertBroadcasts(source: string): string {
  return `insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
    select id, 1, next_send_at, submitted_at, traceparent
    from ${source}`;
}
