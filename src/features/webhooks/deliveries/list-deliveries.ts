import type { Queryable, Transaction } from '../../../db/client.ts';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

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

/** Above every UUIDv7: the first page runs the same statement as the others. */
const BEFORE_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Deliveries of an endpoint, newest first (their ids are time-ordered); one row more than `limit`. Read status by status
 * and merged: an index of its own for the order of all would be written twice for every delivery.
 */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  {
    status,
    limit,
    beforeId = BEFORE_ALL,
  }: { status?: DeliveryStatus | undefined; limit: number; beforeId?: string | undefined },
): Promise<DeliveryRow[]> {
  const statuses = status === undefined ? [...deliveryStatuses] : [status];
  return db<DeliveryRow[]>`
    select delivery.* from unnest(${statuses}::text[]) as wanted(status)
    cross join lateral (
      select ${deliveryColumns(db)} from webhook_deliveries
      where endpoint_id = ${endpointId} and status = wanted.status and id < ${beforeId}
      order by id desc limit ${limit + 1}
    ) as delivery
    order by delivery.id desc limit ${limit + 1}`;
}

/** A delivery of the account's endpoints, locked until the transaction ends; null when there is none. */
export async function lockDelivery(
  transaction: Transaction,
  deliveryId: string,
  accountId: string,
): Promise<{ status: DeliveryStatus; replayCount: number } | null> {
  const [row] = await transaction<{ status: DeliveryStatus; replayCount: number }[]>`
    select delivery.status, delivery.replay_count
    from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${deliveryId} and endpoint.account_id = ${accountId} and endpoint.deleted_at is null
    for update of delivery`;
  return row ?? null;
}

/** Due at once by the database's clock, which the relay goes by. */
export async function markReplayed(transaction: Transaction, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await transaction<DeliveryRow[]>`
    update webhook_deliveries
    set status = 'pending', next_attempt_at = now(), schedule_index = 0, replay_count = replay_count + 1, updated_at = now()
    where id = ${deliveryId}
    returning ${deliveryColumns(transaction)}`;
  if (row === undefined) throw new Error('a locked delivery vanished');
  return row;
}

function deliveryColumns(db: Queryable) {
  return db`
    id, endpoint_id, event_id, event_type, status, attempt_count, created_at, updated_at, delivered_at,
    next_attempt_at, last_error_code, response_status`;
}

/** contract/delivery#delivery-record */
export function deliveryRecord(row: DeliveryRow) {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}
