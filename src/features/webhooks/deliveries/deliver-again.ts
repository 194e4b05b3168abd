import type { Queryable } from '../../../db/client.ts';

/** Lets relays deliver an event to those of its receivers that have no delivery of it. */
export async function deliverAgain(db: Queryable, eventIds: readonly string[]): Promise<void> {
  await db`
    insert into events_to_fan_out (event_id) select id from events where id = any(${[...eventIds]}::uuid[])
    on conflict do nothing`;
}
