import type { Reader } from '../../../db/look-ups.ts';
import type { deliveryStatuses } from '../../../db/values/webhooks.ts';
import type { PauseColumns } from '../../../shared/webhooks/endpoint-record.ts';
import type { DeliveryRecord } from './schema.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Columns of `webhook_deliveries` that clients see, and the pause of the endpoint. */
export interface DeliveryRow extends PauseColumns {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  attemptCount: number;
  createdAt: Date;
  updatedAt: Date;
  deliveredAt: Date | null;
  nextAttemptAt: Date | null;
  lastErrorCode: string | null;
  responseStatus: number | null;
}

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    ...row,
    ...waitOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  };
}

/** When the next attempt is made: not before the pause of the endpoint ends. */
function waitOf({ nextAttemptAt, pausedUntil, pauseReason }: DeliveryRow) {
  if (nextAttemptAt === null) return { nextAttemptAt: null, pausedUntil: null, pauseReason: null };
  const isPaused = pausedUntil !== null && pausedUntil > nextAttemptAt;
  return {
    nextAttemptAt: (isPaused ? pausedUntil : nextAttemptAt).toISOString(),
    pausedUntil: pausedUntil?.toISOString() ?? null,
    pauseReason,
  };
}

/** Columns of a DeliveryRow from `webhook_deliveries`, without the pause. */
export function ownDeliveryColumns(db: Reader) {
  return db`
    id, endpoint_id, event_id, event_type, status, attempt_count, created_at, updated_at, delivered_at,
    next_attempt_at, last_error_code, response_status`;
}

/**
 * Columns of a DeliveryRow from `webhook_deliveries`. Reads the endpoint of each row, so it is for few rows.
 */
export function deliveryColumns(db: Reader) {
  const ofEndpoint = (column: 'paused_until' | 'pause_reason') => db`
    (select endpoint.${db(column)} from webhook_endpoints endpoint
      where endpoint.id = endpoint_id and endpoint.paused_until > now()) as ${db(column)}`;
  return db`${ownDeliveryColumns(db)}, ${ofEndpoint('paused_until')}, ${ofEndpoint('pause_reason')}`;
}
