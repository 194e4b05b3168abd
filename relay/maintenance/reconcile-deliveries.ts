import type { Database } from '../../src/db/client.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import { uuidV7 } from '../fan-out/delivery-id.ts';
import { matches } from '../fan-out/fan-out-events.ts';
import { filtersOf } from '../fan-out/endpoint-matching.ts';

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
  const events = await sql<{ id: string; type: string }[]>`
    select id, type from events
    where created_at between now() - ${windowMs} * interval '1 millisecond'
        and now() - ${ageMs} * interval '1 millisecond'
      and id > ${after ?? firstUuidOf(Date.now() - WINDOWS * windowMs)}::uuid
    order by id limit ${COMPARED_EVENTS_PER_STEP}`;
  const last = events.at(-1)?.id ?? null;
  if (last === null) return { deliveries: 0, last };
  const asked = events.map(({ id, type }) => ({ id, filters: filtersOf(type) }));
  const gets = sql`endpoint.status = 'enabled' and endpoint.deleted_at is null
    and endpoint.updated_at <= event.created_at and ${matches(sql)}`;
  const repaired = await sql`
    with page as materialized (
      select event.id, event.type, event.account_id, event.only_endpoint_id, event.created_at, asked.filters
      from jsonb_to_recordset(${sql.json(asked)}) as asked(id uuid, filters text[])
      join events as event on event.id = asked.id and event.fanned_out_at is not null
    ), wanted as (
      select event.id as event_id, event.type, endpoint.id as endpoint_id
      from page as event join webhook_endpoints as endpoint
        on event.account_id is null and endpoint.event_types && event.filters and ${gets}
      union all
      select event.id, event.type, endpoint.id
      from page as event join webhook_endpoints as endpoint
        on endpoint.account_id = event.account_id and ${gets}
    )
    insert into webhook_deliveries
      (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select ${uuidV7(sql)}, endpoint_id, event_id, type, 'pending', now(), now(), now()
    from wanted
    where not exists (
      select from webhook_deliveries as delivery
      where delivery.endpoint_id = wanted.endpoint_id and delivery.event_id = wanted.event_id)
    order by endpoint_id, event_id
    on conflict (endpoint_id, event_id) do nothing`;
  return { deliveries: repaired.count, last };
}
