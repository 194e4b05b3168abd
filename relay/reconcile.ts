import type { Database } from '../src/db/client.ts';
import { firstUuidOf } from '../src/shared/first-uuid.ts';
import { uuidV7 } from './delivery-id.ts';
import { matches } from './fan-out.ts';

const COMPARED_EVENTS_PER_STEP = 20;
/** Ids are made by other clocks than the database's; the bound only spares partitions that are much older. */
const WINDOWS = 2;

/**
 * Compares events marked as fanned out with the deliveries that must exist, and makes the missing ones: a
 * second, independent check, for rows lost by a restore or by hand and for endpoints whose creation committed
 * after a younger event's fan-out. An endpoint that changed after the event is left out, because its filter
 * and status at that time are not known any more.
 *
 * @param after compare events with larger ids; null begins at `windowMs` ago
 * @returns the rows made, and where to go on; `last` is null at the newest event
 */
export async function repairMissingDeliveries(
  sql: Database,
  after: string | null,
  { windowMs, ageMs }: { windowMs: number; ageMs: number },
): Promise<{ deliveries: number; last: string | null }> {
  const [row] = await sql<{ deliveries: number; last: string | null }[]>`
    with page as (
      select * from events
      where created_at between now() - ${windowMs} * interval '1 millisecond'
          and now() - ${ageMs} * interval '1 millisecond'
        and id > ${after ?? firstUuidOf(Date.now() - WINDOWS * windowMs)}::uuid
      order by id limit ${COMPARED_EVENTS_PER_STEP}
    ), repaired as (
      insert into webhook_deliveries
        (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
      select ${uuidV7(sql)}, endpoint.id, event.id, event.type, 'pending', now(), now(), now()
      from page as event
      join webhook_endpoints as endpoint
        on endpoint.status = 'enabled' and endpoint.deleted_at is null
        and endpoint.updated_at <= event.created_at and ${matches(sql)}
      where event.fanned_out_at is not null and not exists (
        select from webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.event_id = event.id)
      order by endpoint.id, event.id
      on conflict (endpoint_id, event_id) do nothing
      returning 1
    )
    select (select count(*)::int from repaired) as deliveries,
      (select id from page order by id desc limit 1) as last`;
  if (row === undefined) throw new Error('the comparison returned no row');
  return row;
}
