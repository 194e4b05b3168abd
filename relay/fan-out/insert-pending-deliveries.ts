import type { Database } from '../../src/db/client.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import { endpointPage, matches } from './endpoint-matching.ts';
import type { EventBatch } from './event-batch.ts';

export interface InsertedPage {
  /** Numbers of rows by event; without those that have none. */
  inserted: Readonly<Record<string, number>>;
  /** The last endpoint of a full page; null when there are no more. */
  lastId: string | null;
}

/** Most delivery rows of one statement: bounds its locks and time, whatever the number of endpoints. */
const ROWS_PER_STATEMENT = 10_000;
const ENDPOINTS_PER_STATEMENT = 2_000;

/** Inserts the delivery rows of one page of endpoints; they are due immediately and wait for a claim. */
export async function insertPendingDeliveries(
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

/** An account has at most 20 endpoints (contract/webhooks#endpoint), so only public events multiply with all endpoints. */
function endpointsPerPage({ eventIds, accountIds }: EventBatch): number {
  if (accountIds !== null) return ENDPOINTS_PER_STATEMENT;
  return Math.min(ENDPOINTS_PER_STATEMENT, Math.max(1, Math.floor(ROWS_PER_STATEMENT / eventIds.length)));
}
