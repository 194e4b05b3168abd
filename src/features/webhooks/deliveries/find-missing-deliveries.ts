import type { Queryable } from '../../../db/client.ts';
import { allSubjects } from '../../../db/endpoint-columns.ts';
import { rowById } from '../../../db/row-look-up.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import {
  type MatchedEndpoint,
  type MatchedEvent,
  receivesEvent,
} from '../../../shared/webhooks/receives-event.ts';

/** The relay's own comparison may still be about to make the deliveries of a younger event. */
const SETTLED_AFTER_SECONDS = 20;

export interface ComparedDeliveries {
  /** Events that were compared. */
  compared: number;
  /** Events that count as delivered, and endpoints that have no delivery of them. */
  missing: { eventId: string; endpointId: string }[];
  /** Deliveries that are still under way, by endpoint. */
  open: { endpointId: string; deliveries: number }[];
}

type EventRow = MatchedEvent & { id: string };

/**
 * Compares the events since a time with the deliveries that they must have. An endpoint that changed after an event is
 * left out of its receivers, because what it subscribed to before is unknown.
 */
export async function findMissingDeliveries(
  db: Queryable,
  { since, limit }: { since: Date; limit: number },
): Promise<ComparedDeliveries> {
  const events = await db<EventRow[]>`
    select id, type, subject, account_id, only_endpoint_id, created_at from events
    where id >= ${firstUuidOf(since.getTime())}::uuid
      and not exists (select from events_to_fan_out where ${rowById(db, db`event_id`, db`id`)})
      and created_at < now() - ${SETTLED_AFTER_SECONDS} * interval '1 second'
    order by id limit ${limit}`;
  const endpoints = await db<(MatchedEndpoint & { updatedAt: Date })[]>`
    select id, account_id, event_types, ${allSubjects(db)}, event_scopes, created_at, updated_at from webhook_endpoints
    where status = 'enabled' and deleted_at is null`;
  const deliveries = await db<{ eventId: string; endpointId: string; isOpen: boolean }[]>`
    select event_id, endpoint_id, status in ('pending', 'processing', 'retrying') as is_open from webhook_deliveries
    where event_id = any(${events.map(({ id }) => id)}::uuid[])`;
  const known = new Set(deliveries.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
  const missing = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.updatedAt <= event.createdAt && receivesEvent(endpoint, event))
      .filter((endpoint) => !known.has(`${event.id} ${endpoint.id}`))
      .map((endpoint) => ({ eventId: event.id, endpointId: endpoint.id })),
  );
  const open = Map.groupBy(
    deliveries.filter(({ isOpen }) => isOpen),
    ({ endpointId }) => endpointId,
  );
  return {
    compared: events.length,
    missing,
    open: [...open].map(([endpointId, { length }]) => ({ endpointId, deliveries: length })),
  };
}
