import type { Database } from '../../src/db/client.ts';
import { markFannedOut } from '../first-attempts/lease-events.ts';
import type { FanOutListener } from '../telemetry/spans.ts';
import { accountBatch, type EventBatch, type FanOutEvent, publicBatch } from './event-batch.ts';
import type { InsertedPage } from './insert-pending-deliveries.ts';
import { insertPendingDeliveries } from './insert-pending-deliveries.ts';

/** Takes the numbers of rows by event. */
type OnPending = (inserted: InsertedPage['inserted']) => void;

/**
 * Inserts the delivery rows of events: one per enabled endpoint whose account may see the event and whose
 * filters match (contract/events#catalogue). Idempotent: an event that was fanned out before is skipped, and
 * the unique key on (endpoint, event) decides between two relays. Each statement commits by itself, so the
 * first of 10,000 endpoints does not wait for the last. The event is marked when all are done; a relay that
 * dies before that leaves it to the reconciler.
 *
 * @param onPending called with the numbers of rows by event after each commit that inserted rows which wait for a claim
 * @param onFannedOut called once with the events that were fanned out
 * @returns the number of rows inserted
 */
export async function fanOutEvents(
  sql: Database,
  ids: readonly string[],
  onPending: OnPending,
  onFannedOut?: FanOutListener,
): Promise<number> {
  const startedAtMs = performance.now();
  const events = await sql<(FanOutEvent & { traceparent: string | null; open: boolean })[]>`
    select id, type, subject, account_id, traceparent, fanned_out_at is null as open
    from events where id = any(${[...ids]}::uuid[])`;
  const open = events.filter((event) => event.open);
  let deliveries = 0;
  for (const batch of [publicBatch(open), accountBatch(open)]) {
    if (batch.eventIds.length === 0) continue;
    deliveries += await insertDeliveries(sql, batch, onPending);
    await markFannedOut(sql, batch.eventIds);
  }
  onFannedOut?.(open, startedAtMs);
  return deliveries;
}

/** Inserts the delivery rows of a batch, page by page, without a mark. Returns the number of rows. */
async function insertDeliveries(sql: Database, batch: EventBatch, onPending: OnPending): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const page: InsertedPage = await insertPendingDeliveries(sql, batch, after);
    const rows = Object.values(page.inserted).reduce((sum, count) => sum + count, 0);
    total += rows;
    if (rows > 0) onPending(page.inserted);
    after = page.lastId;
  } while (after !== null);
  return total;
}
