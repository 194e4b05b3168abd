import type { Queryable } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import type { StreamedEvent } from '../record-sources.ts';

/** Events by id, each by its key and partition; none about a hidden token. */
export async function findEvents(db: Queryable, ids: readonly string[]): Promise<Map<string, StreamedEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await db<StreamedEvent[]>`
    select e.id, e.type, e.body from unnest(${ids as string[]}::uuid[]) as r (id)
    cross join lateral (
      select id, type, body from events where events.id = r.id and not ${concernsHiddenToken(db, db`events`)}) e`;
  return new Map(rows.map((row) => [row.id, row]));
}
