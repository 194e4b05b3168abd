import type { Queryable } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { type EventRow, toEvent } from './list-events.ts';
import type { EventRecord } from './schema.ts';
import type { VisibleTypes } from './visible-types.ts';

/**
 * One event, by the rules of the list (contract/events#get); null for an event that the list would not show.
 */
export async function findEvent(
  db: Queryable,
  eventId: string,
  { accountId, types }: { accountId: string; types: VisibleTypes },
): Promise<EventRecord | null> {
  const [row] = await db<Omit<EventRow, 'place'>[]>`
    select id, type, subject, body from events
    where id = ${eventId}
      and ((account_id is null and type = any(${types.ofEveryone}::text[]))
        or (account_id = ${accountId}::uuid and type = any(${types.ofAccount}::text[])))
      and not ${concernsHiddenToken(db, db`events`)}`;
  return row === undefined ? null : toEvent(row);
}
