import type { Queryable } from '../../../db/client.ts';
import type { deliveryStatuses } from '../../../db/schema/webhooks.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Columns of `webhook_deliveries` that clients see. */
export interface DeliveryRow {
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

/** The public delivery (contract/delivery#delivery-record). */
export type DeliveryRecord = Omit<
  DeliveryRow,
  'createdAt' | 'updatedAt' | 'deliveredAt' | 'nextAttemptAt'
> & {
  createdAt: string;
  updatedAt: string;
  deliveredAt: string | null;
  nextAttemptAt: string | null;
};

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

/** Columns of a DeliveryRow, from `webhook_deliveries`. */
export function deliveryColumns(db: Queryable) {
  return db`
    id, endpoint_id, event_id, event_type, status, attempt_count, created_at, updated_at, delivered_at,
    next_attempt_at, last_error_code, response_status`;
}
