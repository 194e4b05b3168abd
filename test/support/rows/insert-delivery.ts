import type { Queryable } from '../../../src/db/client.ts';
import type { webhookDeliveries } from '../../../src/db/schema/webhooks.ts';
import { insertRows, newRowId } from './insert-rows.ts';

type DeliveryRow = typeof webhookDeliveries.$inferInsert;
/** The columns that a test may set. */
export type NewDelivery = Pick<DeliveryRow, 'endpointId' | 'eventId'> & Partial<DeliveryRow>;

const LEASE_MS = 20_000;

/**
 * Inserts a delivery, by default `succeeded`. Returns its id, which contains the time of its creation. An
 * open delivery is due now, and one in progress has a lease.
 */
export async function insertDelivery(db: Queryable, delivery: NewDelivery): Promise<string> {
  const [id = ''] = await insertDeliveries(db, [delivery]);
  return id;
}

/** Inserts deliveries, which must all set the same columns. Returns their ids. */
export async function insertDeliveries(db: Queryable, deliveries: readonly NewDelivery[]): Promise<string[]> {
  const rows = deliveries.map(deliveryRow);
  await insertRows(db, 'webhook_deliveries', rows);
  return rows.map(({ id }) => id);
}

function deliveryRow(delivery: NewDelivery) {
  const { status = 'succeeded', createdAt = new Date() } = delivery;
  const isOpen = status === 'pending' || status === 'retrying';
  return {
    id: newRowId(delivery.createdAt),
    eventType: 't',
    status,
    nextAttemptAt: isOpen ? new Date() : null,
    leaseExpiresAt: status === 'processing' ? new Date(Date.now() + LEASE_MS) : null,
    createdAt,
    updatedAt: createdAt,
    ...delivery,
  };
}
