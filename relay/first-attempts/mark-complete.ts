import type { Queryable } from '../../src/db/client.ts';
import type { HeldEvent } from './held-event.ts';

/**
 * SQL: marks events whose delivery rows all exist. An event is left out when a row that an earlier statement committed
 * is missing, because the database has crashed since. The reconciler fans it out again when its lease has ended.
 */
export function markComplete(sql: Queryable, events: readonly HeldEvent[]) {
  const written = events.flatMap(({ leased, writtenEndpointIds }) =>
    writtenEndpointIds.map((endpointId) => ({ eventId: leased.id, endpointId })),
  );
  const hasLostRows = sql`and not exists (
    select from unnest(${written.map(({ eventId }) => eventId)}::uuid[],
      ${written.map(({ endpointId }) => endpointId)}::uuid[]) as written (event_id, endpoint_id)
    where written.event_id = events.id and not exists (
      select from webhook_deliveries as delivery
      where delivery.event_id = written.event_id and delivery.endpoint_id = written.endpoint_id))`;
  return sql`
    update events set fanned_out_at = now()
    where id = any(${events.map(({ leased }) => leased.id)}::uuid[]) and fanned_out_at is null
      ${written.length === 0 ? sql`` : hasLostRows}`;
}
