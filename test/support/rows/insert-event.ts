import type { Queryable } from '../../../src/db/client.ts';
import type { events } from '../../../src/db/schema/events.ts';
import { insertRows, newRowId } from './insert-rows.ts';

export type NewEvent = Partial<typeof events.$inferInsert> & {
  /** The broker has it. */
  isPublished?: boolean;
  /** Every delivery of it has a row. */
  isFannedOut?: boolean;
};

/** Inserts a public event that is neither published nor fanned out. Returns its id, which contains its
 * creation time. */
export async function insertEvent(db: Queryable, event: NewEvent = {}): Promise<string> {
  const [id = ''] = await insertEvents(db, 1, event);
  return id;
}

/** Inserts `count` equal events. Returns their ids. */
export async function insertEvents(
  db: Queryable,
  count: number,
  { isPublished = false, isFannedOut = false, ...event }: NewEvent = {},
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: newRowId(event.createdAt),
    type: 't',
    subject: 's',
    body: '{}',
    createdAt: new Date(),
    ...event,
  }));
  await insertRows(db, 'events', rows);
  const ids = rows.map(({ id }) => id);
  if (isPublished) await db`delete from events_to_publish where event_id = any(${ids}::uuid[])`;
  if (isFannedOut) await db`delete from events_to_fan_out where event_id = any(${ids}::uuid[])`;
  return ids;
}
