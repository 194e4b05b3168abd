import type { Database } from '../../../src/db/client.ts';
import { type EventName, eventType } from '../../../src/shared/events/catalogue.ts';
import { recordEvent } from '../contract-coverage/messages.ts';

// biome-ignore lint/suspicious/noExplicitAny: the data of any event.
type EventData = any;

export interface StoredEvent {
  type: string;
  subject: string;
  data: EventData;
}

/** The events of a type as receivers get them, oldest first. */
export async function storedEvents(db: Database, name: EventName, subject?: string): Promise<StoredEvent[]> {
  const rows = await db<{ body: string }[]>`
    select body from events where type = ${eventType(name)}
      ${subject === undefined ? db`` : db`and subject = ${subject}`} order by recorded_in, id`;
  return rows.map(({ body }) => {
    const event: StoredEvent = JSON.parse(body);
    recordEvent(event);
    return event;
  });
}
