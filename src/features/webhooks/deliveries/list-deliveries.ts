import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import {
  type DeliveryRecord,
  type DeliveryRow,
  type DeliveryStatus,
  deliveryColumns,
  toDelivery,
} from './record.ts';

/** Deliveries stand in the order of their ids, which are time-ordered. */
export type DeliveryPosition = readonly [id: string];

// Before the newest delivery: the first page runs the same statement as the others.
const BEFORE_ALL: DeliveryPosition = ['ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * Deliveries of an endpoint, newest first. Read status by status and merged: an index of its own for the order of all would be written twice for every delivery.
 */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  {
    status,
    limit,
    after = BEFORE_ALL,
  }: { status?: DeliveryStatus | undefined; limit: number; after?: DeliveryPosition | undefined },
): Promise<KeysetPage<DeliveryRecord, DeliveryPosition>> {
  const statuses = status === undefined ? [...deliveryStatuses] : [status];
  const [beforeId] = after;
  const rows = await db<DeliveryRow[]>`
    select delivery.* from unnest(${statuses}::text[]) as wanted(status)
    cross join lateral (
      select ${deliveryColumns(db)} from webhook_deliveries
      where endpoint_id = ${endpointId} and status = wanted.status and id < ${beforeId}
      order by id desc limit ${limit + 1}
    ) as delivery
    order by delivery.id desc limit ${limit + 1}`;
  return keysetPage(rows, limit, toDelivery, ({ id }) => [id]);
}
