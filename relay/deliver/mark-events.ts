import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';

/** An event whose deliveries all have rows. */
interface CompleteEvent {
  event: { id: string };
  /** Endpoints whose rows an earlier statement committed, perhaps not yet to disk. */
  writtenEndpointIds: readonly string[];
}

/**
 * SQL: marks events as delivered to every endpoint. An event is left out when a row that an earlier statement committed
 * is missing, because the database has crashed since. The reconciler fans such an event out again when its lease has
 * ended.
 */
export function markComplete(sql: Queryable, events: readonly CompleteEvent[]) {
  const written = events.flatMap(({ event, writtenEndpointIds }) =>
    writtenEndpointIds.map((endpointId) => ({ eventId: event.id, endpointId })),
  );
  const hasAllRows = sql`and not exists (
    select from unnest(${written.map(({ eventId }) => eventId)}::uuid[],
      ${written.map(({ endpointId }) => endpointId)}::uuid[]) as written (event_id, endpoint_id)
    where written.event_id = events_to_fan_out.event_id and not exists (
      select from webhook_deliveries as delivery
      where delivery.event_id = written.event_id and delivery.endpoint_id = written.endpoint_id))`;
  return sql`
    delete from events_to_fan_out where event_id = any(${events.map(({ event }) => event.id)}::uuid[])
      ${written.length === 0 ? sql`` : hasAllRows}`;
}

/**
 * Marks events whose rows the fan-out inserted. If the database loses a mark, the reconciler fans the event out again.
 */
export async function markFannedOut(sql: Database, eventIds: readonly string[]): Promise<void> {
  await sql`
    delete from events_to_fan_out where event_id = any(${[...eventIds]}::uuid[]) and ${asynchronousCommit(sql)}`;
}
