import { BEFORE_NEWEST } from '../../../db/account-list.ts';
import type { Queryable } from '../../../db/client.ts';
import { pauseColumns } from '../../../db/endpoint-columns.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { deliveryStatuses } from '../../../db/values/webhooks.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import { type DeliveryRow, type DeliveryStatus, ownDeliveryColumns, toDelivery } from './record.ts';
import type { DeliveryRecord } from './schema.ts';

/** Deliveries are ordered by their ids, which are time-ordered. */
export type DeliveryPosition = readonly [id: string];

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The clock that made an id and the clock of `created_at` differ by less than this. */
const CLOCK_STEP_MS = 60_000;
/** Deliveries that a page with an event type reads: the busiest table has no index by type. */
const LOOKED_THROUGH_MAX = 250;

/** Filters of a list of deliveries. */
export interface DeliverySelection {
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  limit: number;
  after?: DeliveryPosition | undefined;
}

type DeliveryPage = KeysetPage<DeliveryRecord, DeliveryPosition>;

/**
 * Deliveries of an endpoint, newest first. Reads each status by its index and merges them, because an index
 * for the order of all would cost two more writes per delivery. With an event type a page may hold fewer than
 * `limit` deliveries, or none, while there are more.
 */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  selection: DeliverySelection,
): Promise<DeliveryPage> {
  const { limit, eventType } = selection;
  const positionOf = ({ id }: DeliveryRow): DeliveryPosition => [id];
  if (eventType === undefined)
    return keysetPage(await readDeliveries(db, endpointId, selection, limit), limit, toDelivery, positionOf);
  const lookedThrough = await readDeliveries(db, endpointId, selection, LOOKED_THROUGH_MAX);
  const ofType = lookedThrough.filter((row) => row.eventType === eventType);
  const page = keysetPage(ofType, limit, toDelivery, positionOf);
  const last = lookedThrough[LOOKED_THROUGH_MAX - 1];
  const isMore = page.next === null && lookedThrough.length > LOOKED_THROUGH_MAX && last !== undefined;
  return isMore ? { ...page, next: positionOf(last) } : page;
}

/** Returns up to one delivery more than the limit. */
async function readDeliveries(
  db: Queryable,
  endpointId: string,
  { status, eventId, createdAfter, createdBefore, after = BEFORE_NEWEST }: DeliverySelection,
  count: number,
): Promise<DeliveryRow[]> {
  const statuses = status === undefined ? [...deliveryStatuses] : [status];
  const [beforeId] = after;
  const first = createdAfter === undefined ? FIRST_ID : firstUuidOf(createdAfter.getTime() - CLOCK_STEP_MS);
  const end =
    createdBefore === undefined ? BEFORE_NEWEST[0] : firstUuidOf(createdBefore.getTime() + CLOCK_STEP_MS);
  const isCreated = db`
    ${createdAfter === undefined ? db`` : db`and created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? db`` : db`and created_at < ${createdBefore}`}`;
  const pause = db`(select ${pauseColumns(db)} from webhook_endpoints where id = ${endpointId}) as pause`;
  // An event has at most one delivery to the endpoint, so there is no next page.
  if (eventId !== undefined)
    return await db<DeliveryRow[]>`
      select ${ownDeliveryColumns(db)}, pause.* from webhook_deliveries cross join ${pause}
      where event_id = ${eventId} and endpoint_id = ${endpointId} and status = any(${statuses}::text[])
        ${isCreated}`;
  return await db<DeliveryRow[]>`
    select delivery.*, pause.* from unnest(${statuses}::text[]) as wanted(status)
    cross join ${pause}
    cross join lateral (
      select ${ownDeliveryColumns(db)} from webhook_deliveries
      where endpoint_id = ${endpointId} and status = wanted.status and id < least(${beforeId}::uuid, ${end}::uuid)
        and id >= ${first}::uuid ${isCreated}
      order by id desc limit ${count + 1}
    ) as delivery
    order by delivery.id desc limit ${count + 1}`;
}
