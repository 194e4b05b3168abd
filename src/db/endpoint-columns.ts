import type { Queryable } from './client.ts';

/** SQL: the columns of an EndpointColumns (src/shared/webhooks/endpoint-record.ts), from `webhook_endpoints`. */
export function endpointColumns(db: Queryable) {
  return db`
    id, purpose, url, description, event_types, subjects, status, disabled_reason, secret_rotated_at,
    previous_secret_expires_at, version, created_at, updated_at`;
}
