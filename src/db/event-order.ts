import type { Database } from './client.ts';

/** More places than a database ever assigns (2^48). */
const PLACES = 281_474_976_710_656n;

/**
 * In a restored or copied database, new events get places above all earlier ones: some of those may have been
 * assigned after the backup, and cursors name them (decisions/0058). It begins a history, too (decisions/0072). Does
 * nothing in a known database.
 */
export async function settleEventOrder(db: Database): Promise<void> {
  await db.begin(async (transaction) => {
    const moved = await transaction`select from event_order where origin <> events_origin()`;
    if (moved.count === 0) return;
    // No events may be recorded between the old and the new places.
    await transaction`lock table events in exclusive mode`;
    await transaction`
      update event_order set origin = events_origin(), first_place = first_place + ${PLACES}
      where origin <> events_origin()`;
    // What was submitted after the backup may have landed.
    await transaction`
      insert into database_histories (history, met_at) values (database_history(), now())
      on conflict (history) do update set met_at = excluded.met_at`;
  });
}
