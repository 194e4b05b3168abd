import type { Queryable } from './client.ts';

/** SQL: the columns of an EndpointColumns (src/shared/webhooks/endpoint-record.ts), from `webhook_endpoints`. */
export function endpointColumns(db: Queryable) {
  return db`
    id, url, description, event_types, ${allSubjects(db)}, status, disabled_reason, secret_rotated_at,
    previous_secret_expires_at, version, created_at, updated_at`;
}

/**
 * SQL: `subjects` of an endpoint of `webhook_endpoints`, in the order of its request; null for all. Those of
 * an endpoint that gets trades alone are in a table of their own (decisions/0077).
 */
export function allSubjects(db: Queryable) {
  return db`coalesce(webhook_endpoints.subjects, (
    select array_agg(s.subject order by s.position) from endpoint_subjects s
    where s.endpoint_id = webhook_endpoints.id)) as subjects`;
}

/** SQL: the columns of a ShownColumns, from `webhook_endpoints`. */
export function shownColumns(db: Queryable) {
  return db`${endpointColumns(db)}, ${pauseColumns(db)}, event_scopes`;
}

/** SQL: the columns of a PauseColumns, from `webhook_endpoints`; a pause that is over gives null. */
export function pauseColumns(db: Queryable) {
  return db`
    case when paused_until > now() then paused_until end as paused_until,
    case when paused_until > now() then pause_reason end as pause_reason`;
}
