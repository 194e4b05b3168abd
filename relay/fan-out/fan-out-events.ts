import type { Database } from '../../src/db/client.ts';
import { rowById } from '../../src/db/row-look-up.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import { filtersOf } from '../../src/shared/webhooks/receives-event.ts';
import { markFannedOut } from '../deliver/mark-events.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import type { FanOutListener } from '../telemetry/spans.ts';
import { endpointPage, matches, subjectFiltersOf } from './endpoint-matching.ts';

/** The part of an event that decides who receives it. */
interface FanOutEvent {
  id: string;
  type: string;
  subject: string;
  accountId: string | null;
}

/** Events that are fanned out by the same statements: all are public, or all are addressed to accounts. */
interface EventBatch {
  eventIds: string[];
  /** The accounts that the events are addressed to; null when the events are public. */
  accountIds: string[] | null;
  /** Filters of the endpoints that are read; null for account events, whose endpoints are few. */
  filters: string[] | null;
  /** Subject filters of the endpoints that are read; null for account events. */
  subjects: string[] | null;
}

interface InsertedPage {
  /** Numbers of rows by event. Events without rows are left out. */
  inserted: Readonly<Record<string, number>>;
  /** The last endpoint of a full page; null after the last page. */
  lastId: string | null;
}

/** Called with the numbers of rows by event. */
type OnPending = (inserted: InsertedPage['inserted']) => void;

/**
 * Inserts the delivery rows of events: one per enabled endpoint whose account may see the event and whose filters match
 * (contract/events#catalogue). Idempotent: an event that was fanned out before is skipped, and the unique key on
 * (endpoint, event) decides between two relays. Each statement commits by itself, so the first of 10,000 endpoints does
 * not wait for the last. The event is marked when all rows are inserted. If the relay dies before that, the reconciler
 * fans the event out again.
 *
 * @param onPending called after each commit that inserted rows, which wait for a claim
 * @param onFannedOut called once, with the events that were fanned out
 * @returns the number of rows inserted
 */
export async function fanOutEvents(
  sql: Database,
  ids: readonly string[],
  onPending: OnPending,
  onFannedOut?: FanOutListener,
): Promise<number> {
  const startedAtMs = performance.now();
  const open = await sql<(FanOutEvent & { traceparent: string | null })[]>`
    select id, type, subject, account_id, traceparent
    from events_to_fan_out join events on ${rowById(sql, sql`id`, sql`event_id`)}
    where event_id = any(${[...ids]}::uuid[])`;
  let deliveries = 0;
  for (const batch of [publicBatch(open), accountBatch(open)]) {
    if (batch.eventIds.length === 0) continue;
    deliveries += await insertDeliveries(sql, batch, onPending);
    await markFannedOut(sql, batch.eventIds);
  }
  onFannedOut?.(open, startedAtMs);
  return deliveries;
}

/** Inserts the delivery rows of a batch, page by page. Returns their number. */
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

function publicBatch(events: readonly FanOutEvent[]): EventBatch {
  const publicEvents = events.filter(({ accountId }) => accountId === null);
  const filters = publicEvents.flatMap(({ type }) => filtersOf(type));
  const subjects = publicEvents.flatMap(({ subject }) => subjectFiltersOf(subject));
  return {
    eventIds: publicEvents.map(({ id }) => id),
    accountIds: null,
    filters: [...new Set(filters)],
    subjects: [...new Set(subjects)],
  };
}

function accountBatch(events: readonly FanOutEvent[]): EventBatch {
  const owned = events.filter(({ accountId }) => accountId !== null);
  return {
    eventIds: owned.map(({ id }) => id),
    accountIds: [...new Set(owned.flatMap(({ accountId }) => accountId ?? []))],
    // `webhook.ping` reaches its endpoint whatever its filters are, and an account's endpoints are few.
    filters: null,
    subjects: null,
  };
}

/** Most delivery rows of one statement, which bounds its locks and time, whatever the number of endpoints. */
const ROWS_PER_STATEMENT = 10_000;
const ENDPOINTS_PER_STATEMENT = 2_000;

/** Inserts the delivery rows of one page of endpoints. They are due immediately, and wait for a claim. */
async function insertPendingDeliveries(
  sql: Database,
  batch: EventBatch,
  after: string | null,
): Promise<InsertedPage> {
  const pageSize = endpointsPerPage(batch);
  const [row] = await sql<{ read: number; inserted: Record<string, number>; lastId: string | null }[]>`
    with page as (${endpointPage(sql, batch, after, pageSize)}),
    inserted as (
      insert into webhook_deliveries
        (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
      select ${uuidV7(sql)}, endpoint.id, event.id, event.type, ${statusAfter(sql, 'created')}, now(), now(), now()
      from page as endpoint
      join events as event on event.id = any(${batch.eventIds}::uuid[]) and ${matches(sql)}
      -- Every relay inserts in this order, so that two of them cannot deadlock.
      order by endpoint.id, event.id
      on conflict (endpoint_id, event_id) do nothing
      returning event_id
    )
    select (select count(*)::int from page) as read,
      (select coalesce(jsonb_object_agg(event_id, rows), '{}') from
        (select event_id, count(*)::int as rows from inserted group by event_id) as counted) as inserted,
      (select id from page order by id desc limit 1) as last_id`;
  if (row === undefined) throw new Error('fan-out returned no row');
  const { read, inserted, lastId } = row;
  return { inserted, lastId: read === pageSize ? lastId : null };
}

/**
 * An account has at most 20 endpoints (contract/webhooks#endpoint), so only public events multiply with all endpoints.
 */
function endpointsPerPage({ eventIds, accountIds }: EventBatch): number {
  if (accountIds !== null) return ENDPOINTS_PER_STATEMENT;
  return Math.min(ENDPOINTS_PER_STATEMENT, Math.max(1, Math.floor(ROWS_PER_STATEMENT / eventIds.length)));
}
