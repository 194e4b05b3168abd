import type { Queryable } from './client.ts';

/** SQL: the columns of an EndpointColumns (src/shared/webhooks/endpoint-record.ts), from `webhook_endpoints`. */
export function endpointColumns(db: Queryable) {
  return db`
    id, purpose, url, description, event_types, subjects, status, disabled_reason, secret_rotated_at,
    previous_secret_expires_at, version, created_at, updated_at`;
}

/** SQL: the columns of a PauseColumns, from `webhook_endpoints`; a pause that is over gives null. */
export function pauseColumns(db: Queryable) {
  return db`
    case when paused_until > now() then paused_until end as paused_until,
    case when paused_until > now() then pause_reason end as pause_reason`;
}
