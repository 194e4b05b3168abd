import type { Database } from './client.ts';

/** More places than one database ever gives out (2^48). */
const PLACES = 281_474_976_710_656n;

/**
 * In a database that was restored, or is a copy, new events get places above all that were ever given out: some may have
 * been given out after the backup, and cursors name them (decisions/0058). Does nothing in a known database.
 */
export async function settleEventOrder(db: Database): Promise<void> {
  await db.begin(async (transaction) => {
    const moved = await transaction`select from event_order where origin <> events_origin()`;
    if (moved.count === 0) return;
    // Nobody records events between two places.
    await transaction`lock table events in exclusive mode`;
    await transaction`
      update event_order set cluster = (select system_identifier::text from pg_control_system()),
        origin = events_origin(), first_place = first_place + ${PLACES}
      where origin <> events_origin()`;
  });
}
