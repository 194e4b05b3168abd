import type { Database } from '../../src/db/client.ts';
import { throughLocks } from '../../src/db/lock-retries.ts';

/**
 * Deletes all events with their deliveries, so that each round begins with tables of the same size. A process of the
 * product that reads several of them at the same moment can make a deadlock of it; then it is done again.
 */
export async function emptyEvents(sql: Database): Promise<void> {
  await throughLocks(
    () =>
      sql`truncate webhook_deliveries, webhook_attempts, events, events_to_publish, events_to_fan_out, event_leases`,
  );
}
