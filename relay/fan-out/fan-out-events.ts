import type { Database, Queryable } from '../../src/db/client.ts';
import { unflushed } from '../../src/db/unflushed.ts';
import { uuidV7 } from './delivery-id.ts';
import { filtersOf } from './endpoint-matching.ts';
import type { FanOutListener } from '../telemetry/spans.ts';

/** Delivery rows of one statement: bounds its locks and time, whatever the number of endpoints. */
const ROWS_PER_STATEMENT = 10_000;
const ENDPOINTS_PER_STATEMENT = 2_000;

export interface FanOutResult {
  /** Deliveries that did not exist before. */
  deliveries: number;
  /** Events among the ids that Postgres does not know. */
  unknownIds: string[];
}

export interface FanOutBatch {
  eventIds: string[];
  /** The owners when every event is addressed to one account, null when at least one event is public. */
  accountIds: string[] | null;
  /** What lets one of the public events through: of many endpoints only those with one of these are looked at. */
  filters: string[] | null;
}

/** What a batch needs to know of an event. */
export interface FanOutEvent {
  id: string;
  type: string;
  accountId: string | null;
}

/** Makes a page's rows in its own way, or returns null when it has no use for it now. */
export type ClaimPage = (batch: FanOutBatch, after: string | null) => Promise<Page | null>;

/**
 * Makes the delivery rows of events: one per enabled endpoint whose account may see the event and whose filter
 * matches (contract/events#catalogue). Idempotent: an event that was fanned out before is skipped, and the unique key on
 * (endpoint, event) decides between two relays. Each statement commits by itself, so that the first of 10,000
 * endpoints does not wait for the last; the event is marked when all are done, and a relay that dies before
 * that leaves it to the reconciler.
 *
 * @param onDeliveries called after each commit that made rows which wait for their claim
 * @param claimPage is asked for every page first
 * @param onFannedOut told of each batch that is done
 */
export async function fanOut(
  sql: Database,
  ids: readonly string[],
  onDeliveries: () => void,
  claimPage: ClaimPage = async () => null,
  onFannedOut?: FanOutListener,
): Promise<FanOutResult> {
  const startedAtMs = performance.now();
  const events = await sql<(FanOutEvent & { traceparent: string | null; open: boolean })[]>`
    select id, type, account_id, traceparent, fanned_out_at is null as open
    from events where id = any(${[...ids]}::uuid[])`;
  const known = new Set(events.map(({ id }) => id));
  const open = events.filter((event) => event.open);
  const result = { deliveries: 0, unknownIds: ids.filter((id) => !known.has(id)) };
  for (const batch of [publicBatch(open), accountBatch(open)]) {
    if (batch.eventIds.length === 0) continue;
    result.deliveries += await fanOutBatch(sql, batch, onDeliveries, claimPage);
    await markFannedOut(sql, batch.eventIds);
  }
  onFannedOut?.(open, startedAtMs);
  return result;
}

/** All pages of a batch; the events are not marked yet. Returns the number of rows made. */
export async function fanOutBatch(
  sql: Database,
  batch: FanOutBatch,
  onDeliveries: () => void,
  claimPage: ClaimPage,
): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const page: Page = (await claimPage(batch, after)) ?? (await fanOutPage(sql, batch, after));
    total += page.inserted;
    if (page.waiting > 0) onDeliveries();
    after = page.lastId;
  } while (after !== null);
  return total;
}

/** Says that every delivery row exists. A mark lost with the database lets the reconciler look once more. */
export async function markFannedOut(sql: Database, eventIds: readonly string[]): Promise<void> {
  await sql`
    update events set fanned_out_at = now()
    where id = any(${[...eventIds]}::uuid[]) and fanned_out_at is null and ${unflushed(sql)}`;
}

/** An account has at most 20 endpoints (contract/webhooks#endpoint), so only public events multiply with every endpoint there is. */
function endpointsPerPage({ eventIds, accountIds }: FanOutBatch): number {
  if (accountIds !== null) return ENDPOINTS_PER_STATEMENT;
  return Math.min(ENDPOINTS_PER_STATEMENT, Math.max(1, Math.floor(ROWS_PER_STATEMENT / eventIds.length)));
}

export interface Page {
  inserted: number;
  /** Of these, the ones that nobody has claimed yet. */
  waiting: number;
  /** The last endpoint of a full page, null when there are no more. */
  lastId: string | null;
}

async function fanOutPage(sql: Database, batch: FanOutBatch, after: string | null): Promise<Page> {
  const pageSize = endpointsPerPage(batch);
  const [row] = await sql<{ seen: number; inserted: number; lastId: string | null }[]>`
    with page as (${endpointPage(sql, batch, after, pageSize)}),
    inserted as (
      insert into webhook_deliveries
        (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
      select ${uuidV7(sql)}, endpoint.id, event.id, event.type, 'pending', now(), now(), now()
      from page as endpoint
      join events as event on event.id = any(${batch.eventIds}::uuid[]) and ${matches(sql)}
      -- Both of two relays insert in this order, so that neither waits for the other in a circle.
      order by endpoint.id, event.id
      on conflict (endpoint_id, event_id) do nothing
      returning 1
    )
    select (select count(*)::int from page) as seen,
      (select count(*)::int from inserted) as inserted,
      (select id from page order by id desc limit 1) as last_id`;
  if (row === undefined) throw new Error('fan-out returned no row');
  const { seen, inserted, lastId } = row;
  return { inserted, waiting: inserted, lastId: seen === pageSize ? lastId : null };
}

/** SQL: one page of the endpoints that may get something of a batch, in id order. */
export function endpointPage(
  sql: Queryable,
  { accountIds, filters }: FanOutBatch,
  after: string | null,
  pageSize: number,
) {
  return sql`
    select id, account_id, event_types, created_at from webhook_endpoints
    where status = 'enabled' and deleted_at is null
      ${after === null ? sql`` : sql`and id > ${after}::uuid`}
      ${accountIds === null ? sql`` : sql`and account_id = any(${accountIds}::uuid[])`}
      ${filters === null ? sql`` : sql`and event_types && ${filters}::text[]`}
    order by id limit ${pageSize}`;
}

/**
 * SQL: does `endpoint` get `event`? An event addressed to one endpoint (`webhook.ping`) reaches it whatever its
 * filter and age; any other event reaches endpoints that existed when it happened.
 */
export function matches(sql: Queryable) {
  return sql`(
    (event.account_id is null or event.account_id = endpoint.account_id)
    and case when event.only_endpoint_id is not null then event.only_endpoint_id = endpoint.id
      else endpoint.created_at <= event.created_at and exists (
        select from unnest(endpoint.event_types) as filter
        where filter = '*' or filter = event.type
          or (filter like '%.*' and starts_with(event.type, left(filter, -1))))
      end)`;
}

export function publicBatch(events: readonly FanOutEvent[]): FanOutBatch {
  const isPublic = events.filter(({ accountId }) => accountId === null);
  const filters = isPublic.flatMap(({ type }) => filtersOf(type));
  return { eventIds: isPublic.map(({ id }) => id), accountIds: null, filters: [...new Set(filters)] };
}

export function accountBatch(events: readonly FanOutEvent[]): FanOutBatch {
  const owned = events.filter(({ accountId }) => accountId !== null);
  return {
    eventIds: owned.map(({ id }) => id),
    accountIds: [...new Set(owned.flatMap(({ accountId }) => accountId ?? []))],
    // `webhook.ping` reaches its endpoint whatever that has subscribed to, and an account's endpoints are few.
    filters: null,
  };
}
