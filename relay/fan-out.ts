import type { Database } from '../src/db/client.ts';
import { uuidV7 } from './delivery-id.ts';

/** Delivery rows of one statement: bounds its locks and time, whatever the number of endpoints. */
const ROWS_PER_STATEMENT = 10_000;
const ENDPOINTS_PER_STATEMENT = 2_000;

export interface FanOutResult {
  /** Deliveries that did not exist before. */
  deliveries: number;
  /** Events among the ids that Postgres does not know. */
  unknownIds: string[];
}

interface Batch {
  eventIds: string[];
  /** The owners when every event is addressed to one account, null when at least one event is public. */
  accountIds: string[] | null;
}

/**
 * Makes the delivery rows of events: one per enabled endpoint whose account may see the event and whose filter
 * matches (D16). Idempotent: an event that was fanned out before is skipped, and the unique key on
 * (endpoint, event) decides between two relays. Each statement commits by itself, so that the first of 10,000
 * endpoints does not wait for the last; the event is marked when all are done, and a relay that dies before
 * that leaves it to the reconciler.
 *
 * @param onDeliveries called after each commit that made rows
 */
export async function fanOut(
  sql: Database,
  ids: readonly string[],
  onDeliveries: () => void,
): Promise<FanOutResult> {
  const events = await sql<{ id: string; accountId: string | null; open: boolean }[]>`
    select id, account_id, fanned_out_at is null as open from events where id = any(${[...ids]}::uuid[])`;
  const known = new Set(events.map(({ id }) => id));
  const open = events.filter((event) => event.open);
  const result = { deliveries: 0, unknownIds: ids.filter((id) => !known.has(id)) };
  for (const batch of [publicBatch(open), accountBatch(open)]) {
    if (batch.eventIds.length > 0) result.deliveries += await fanOutBatch(sql, batch, onDeliveries);
  }
  return result;
}

async function fanOutBatch(sql: Database, batch: Batch, onDeliveries: () => void): Promise<number> {
  const pageSize = endpointsPerPage(batch);
  let total = 0;
  let after: string | null = null;
  do {
    const page: Page = await fanOutPage(sql, batch, after, pageSize);
    total += page.inserted;
    if (page.inserted > 0) onDeliveries();
    after = page.lastId;
  } while (after !== null);
  await sql`
    update events set fanned_out_at = now()
    where id = any(${batch.eventIds}::uuid[]) and fanned_out_at is null`;
  return total;
}

/** An account has at most 20 endpoints (spec 8), so only public events multiply with every endpoint there is. */
function endpointsPerPage({ eventIds, accountIds }: Batch): number {
  if (accountIds !== null) return ENDPOINTS_PER_STATEMENT;
  return Math.min(ENDPOINTS_PER_STATEMENT, Math.max(1, Math.floor(ROWS_PER_STATEMENT / eventIds.length)));
}

interface Page {
  inserted: number;
  /** The last endpoint of a full page, null when there are no more. */
  lastId: string | null;
}

async function fanOutPage(
  sql: Database,
  { eventIds, accountIds }: Batch,
  after: string | null,
  pageSize: number,
): Promise<Page> {
  const [row] = await sql<{ seen: number; inserted: number; lastId: string | null }[]>`
    with page as (
      select id, account_id, event_types, created_at from webhook_endpoints
      where status = 'enabled' and deleted_at is null
        ${after === null ? sql`` : sql`and id > ${after}::uuid`}
        ${accountIds === null ? sql`` : sql`and account_id = any(${accountIds}::uuid[])`}
      order by id limit ${pageSize}
    ), inserted as (
      insert into webhook_deliveries
        (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
      select ${uuidV7(sql)}, endpoint.id, event.id, event.type, 'pending', now(), now(), now()
      from page as endpoint
      join events as event on event.id = any(${eventIds}::uuid[]) and ${matches(sql)}
      -- Both of two relays insert in this order, so that neither waits for the other in a circle.
      order by endpoint.id, event.id
      on conflict (endpoint_id, event_id) do nothing
      returning 1
    )
    select (select count(*)::int from page) as seen,
      (select count(*)::int from inserted) as inserted,
      (select id from page order by id desc limit 1) as last_id`;
  if (row === undefined) throw new Error('fan-out returned no row');
  return { inserted: row.inserted, lastId: row.seen === pageSize ? row.lastId : null };
}

/**
 * SQL: does `endpoint` get `event`? An event addressed to one endpoint (`webhook.ping`) reaches it whatever its
 * filter and age; any other event reaches endpoints that existed when it happened.
 */
export function matches(sql: Database) {
  return sql`(
    (event.account_id is null or event.account_id = endpoint.account_id)
    and case when event.only_endpoint_id is not null then event.only_endpoint_id = endpoint.id
      else endpoint.created_at <= event.created_at and exists (
        select from unnest(endpoint.event_types) as filter
        where filter = '*' or filter = event.type
          or (filter like '%.*' and starts_with(event.type, left(filter, -1))))
      end)`;
}

function publicBatch(events: readonly { id: string; accountId: string | null }[]): Batch {
  const isPublic = events.filter(({ accountId }) => accountId === null);
  return { eventIds: isPublic.map(({ id }) => id), accountIds: null };
}

function accountBatch(events: readonly { id: string; accountId: string | null }[]): Batch {
  const owned = events.filter(({ accountId }) => accountId !== null);
  return {
    eventIds: owned.map(({ id }) => id),
    accountIds: [...new Set(owned.flatMap(({ accountId }) => accountId ?? []))],
  };
}
