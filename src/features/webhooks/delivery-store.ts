import type { Queryable } from '../../db/client.ts';
import type { deliveryStatuses } from '../../db/schema/webhooks.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

interface DeliveryRow {
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

/** Above every UUIDv7: the first page runs the same statement as the others. */
const BEFORE_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Deliveries of an endpoint, newest first (their ids are time-ordered); one row more than `limit`. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  {
    status,
    limit,
    beforeId = BEFORE_ALL,
  }: { status?: DeliveryStatus | undefined; limit: number; beforeId?: string | undefined },
): Promise<DeliveryRow[]> {
  return db<DeliveryRow[]>`
    select id, endpoint_id, event_id, event_type, status, attempt_count, created_at, updated_at, delivered_at,
      next_attempt_at, last_error_code, response_status
    from webhook_deliveries
    where endpoint_id = ${endpointId} and id < ${beforeId} ${status === undefined ? db`` : db`and status = ${status}`}
    order by id desc limit ${limit + 1}`;
}

/** Spec 2.14. */
export function deliveryRecord(row: DeliveryRow) {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}
