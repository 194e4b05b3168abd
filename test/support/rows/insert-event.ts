import type { Queryable } from '../../../src/db/client.ts';
import type { events } from '../../../src/db/schema/events.ts';
import { insertRows, newRowId } from './insert-rows.ts';

export type NewEvent = Partial<typeof events.$inferInsert>;

/** An event as a feature leaves it: public, neither published nor fanned out. Its id, of the time of its creation. */
export async function insertEvent(db: Queryable, event: NewEvent = {}): Promise<string> {
  const [id = ''] = await insertEvents(db, 1, event);
  return id;
}

/** As many events that are alike; their ids. */
export async function insertEvents(db: Queryable, count: number, event: NewEvent = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: newRowId(event.createdAt),
    type: 't',
    subject: 's',
    body: '{}',
    createdAt: new Date(),
    ...event,
  }));
  await insertRows(db, 'events', rows);
  return rows.map(({ id }) => id);
}
