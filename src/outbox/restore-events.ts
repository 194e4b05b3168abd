import type { Database, Queryable, Transaction } from '../db/client.ts';
import { insertEvent } from './event-rows.ts';
import type { PublishedEvent } from './read-published.ts';

/** Those of the events that are not in the database. */
export async function findMissingEvents(
  db: Queryable,
  events: readonly PublishedEvent[],
): Promise<PublishedEvent[]> {
  const rows = await db<{ id: string }[]>`
    select asked.id from unnest(${events.map(({ id }) => id)}::uuid[]) as asked (id)
    where not exists (select from events where events.id = asked.id)`;
  const missing = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => missing.has(id));
}

/**
 * Adds an event that only the broker has, with its id and bytes. It counts as published, and relays deliver
 * it again: a subscriber that has it already knows its `webhook-id`. False when its account is unknown.
 */
export async function restoreEvent(
  db: Database,
  { publishedAt, ...event }: PublishedEvent,
): Promise<boolean> {
  const { id, accountId } = event;
  // The broker has neither.
  const unknown = { onlyEndpointId: null, traceparent: null };
  return await db.begin(async (transaction) => {
    await deleteLeftMarks(transaction, id);
    const { count } = await insertEvent(
      transaction,
      { ...event, ...unknown, createdAt: publishedAt },
      transaction`
        where ${accountId}::uuid is null or exists (select from accounts where accounts.id = ${accountId}::uuid)
        on conflict do nothing`,
    );
    if (count > 0) await transaction`delete from events_to_publish where event_id = ${id}`;
    return count > 0;
  });
}

/** An event that was deleted by hand may have left its marks, and the trigger adds them again. */
async function deleteLeftMarks(transaction: Transaction, id: string): Promise<void> {
  const isGone = transaction`not exists (select from events where id = ${id})`;
  await transaction`delete from events_to_publish where event_id = ${id} and ${isGone}`;
  await transaction`delete from events_to_fan_out where event_id = ${id} and ${isGone}`;
}
