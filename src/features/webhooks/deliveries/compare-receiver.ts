import type { Queryable } from '../../../db/client.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';

export interface ComparedReceiver {
  /** Received, and not in the database. */
  unknown: string[];
  /** Recorded as succeeded since the time, and not received. */
  unreceived: { eventId: string; deliveryId: string }[];
}

/** Compares what a subscriber has with what is recorded of its endpoint. @param received ids of events (`webhook-id`) */
export async function compareReceiver(
  db: Queryable,
  endpointId: string,
  received: readonly string[],
  { since, limit }: { since: Date; limit: number },
): Promise<ComparedReceiver> {
  const unknown = await db<{ id: string }[]>`
    select asked.id::text from unnest(${[...received]}::uuid[]) as asked (id)
    where not exists (select from events where events.id = asked.id) order by asked.id`;
  const unreceived = await db<{ eventId: string; deliveryId: string }[]>`
    select event_id, id as delivery_id from webhook_deliveries
    where endpoint_id = ${endpointId} and status = 'succeeded' and event_id >= ${firstUuidOf(since.getTime())}::uuid
      and event_id <> all(${[...received]}::uuid[])
    order by event_id limit ${limit}`;
  return { unknown: unknown.map(({ id }) => id), unreceived: [...unreceived] };
}
