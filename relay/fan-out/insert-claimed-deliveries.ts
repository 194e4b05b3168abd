import { commitAsynchronously } from '../../src/db/async-commit.ts';
import type { Database, Transaction } from '../../src/db/client.ts';
import { statusAfter } from '../delivery-transitions.ts';
import type { Claim, ClaimedEndpoint, ClaimOptions } from '../dispatch/claim.ts';
import { type EndpointGrant, grantToEndpoints } from '../dispatch/endpoint-limits.ts';
import { uuidV7 } from './delivery-id.ts';
import { endpointPage, matches } from './endpoint-matching.ts';
import type { EventBatch } from './event-batch.ts';
import type { InsertedPage } from './inserted-page.ts';

const LOCK_WAIT_MS = 50;

export interface ClaimedPage extends InsertedPage {
  claims: Claim[];
}

/** A claimed delivery as the insert returns it. */
interface ClaimedRow {
  deliveryId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
}

/**
 * The fast path: inserts the delivery rows of one page of endpoints and claims as many of them as the limits allow in
 * the same transaction. An event's first attempt then waits for one commit instead of two, and its row is written once
 * less. Endpoints with an older due delivery get pending rows, so that nothing overtakes it. As in `claimDue`,
 * endpoints are locked before their attempts are counted. Rejects with `lock_not_available` while another relay
 * inserts the same rows.
 */
export async function insertClaimedDeliveries(
  sql: Database,
  batch: EventBatch,
  after: string | null,
  pageSize: number,
  options: ClaimOptions,
): Promise<ClaimedPage> {
  return await sql.begin(async (transaction) => {
    const [, , endpoints] = await Promise.all([
      commitAsynchronously(transaction),
      limitLockWait(transaction),
      lockMatching(transaction, batch, after, pageSize, options.capacity.full),
    ]);
    const grants = endpoints.length === 0 ? [] : grantToEndpoints(endpoints, options);
    const { claimed, startedAt, ...page } = await insertPage(transaction, batch, after, pageSize, {
      grants,
      ...options,
    });
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    const claims = claimed.flatMap(({ endpointId, ...claim }) => {
      const endpoint = byId.get(endpointId);
      const first = { attemptNumber: 1, scheduleIndex: 0, queuedMs: 0, startedAt };
      return endpoint === undefined ? [] : [{ ...claim, ...first, endpoint }];
    });
    return { ...page, claims };
  });
}

/** No relay can claim for these endpoints while they are locked, so this transaction must not wait for another's rows. */
async function limitLockWait(transaction: Transaction): Promise<void> {
  await transaction`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
}

/** Locks the endpoints of the page that receive at least one of the events and may be sent to now. */
async function lockMatching(
  transaction: Transaction,
  batch: EventBatch,
  after: string | null,
  pageSize: number,
  full: readonly string[],
): Promise<ClaimedEndpoint[]> {
  return await transaction<ClaimedEndpoint[]>`
    with page as materialized (${endpointPage(transaction, batch, after, pageSize)})
    select endpoint.id, endpoint.account_id, endpoint.url, endpoint.sealed_secret, endpoint.sealed_previous_secret,
      endpoint.previous_secret_expires_at
    from webhook_endpoints as endpoint
    where endpoint.id in (select id from page)
      and endpoint.status = 'enabled' and endpoint.deleted_at is null
      and coalesce(endpoint.paused_until <= now(), true) and endpoint.id <> all(${[...full]}::uuid[])
      and exists (select from events as event where event.id = any(${batch.eventIds}::uuid[]) and ${matches(transaction)})
    order by endpoint.id
    for no key update of endpoint skip locked`;
}

async function insertPage(
  transaction: Transaction,
  batch: EventBatch,
  after: string | null,
  pageSize: number,
  { grants, perEndpoint, leaseMs }: ClaimOptions & { grants: readonly EndpointGrant[] },
): Promise<InsertedPage & { claimed: ClaimedRow[]; startedAt: Date }> {
  const [row] = await transaction<
    { read: number; inserted: number; lastId: string | null; claimed: ClaimedRow[]; startedAt: Date }[]
  >`
    with page as materialized (${endpointPage(transaction, batch, after, pageSize)}),
    granted as materialized (
      select granted.id, least(granted.count, ${perEndpoint} - (
          select count(*) from webhook_deliveries where endpoint_id = granted.id and status = 'processing')) as count
      from unnest(${grants.map(({ id }) => id)}::uuid[], ${grants.map(({ count }) => count)}::int[]) as granted(id, count)
      where not exists (
        select from webhook_deliveries as due where due.endpoint_id = granted.id
          and due.status in ('pending', 'retrying') and due.next_attempt_at <= now())
    ), planned as (
      select endpoint.id as endpoint_id, event.id as event_id, event.type,
        row_number() over (partition by endpoint.id order by event.id) <= coalesce(granted.count, 0) as claimed
      from page as endpoint
      join events as event on event.id = any(${batch.eventIds}::uuid[]) and ${matches(transaction)}
      left join granted on granted.id = endpoint.id
    ), inserted as (
      insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempt_count, next_attempt_at,
        lease_expires_at, created_at, updated_at)
      select ${uuidV7(transaction)}, endpoint_id, event_id, type,
        case when claimed then ${statusAfter(transaction, 'createdAndClaimed')}
          else ${statusAfter(transaction, 'created')} end, claimed::int,
        case when claimed then null else now() end,
        case when claimed then now() + ${leaseMs} * interval '1 millisecond' end, now(), now()
      from planned
      -- Every relay inserts in this order, so that two of them cannot deadlock.
      order by endpoint_id, event_id
      on conflict (endpoint_id, event_id) do nothing
      returning id, endpoint_id, event_id, event_type, status
    )
    select (select count(*)::int from page) as read,
      (select count(*)::int from inserted) as inserted,
      (select id from page order by id desc limit 1) as last_id,
      now() as started_at,
      (select coalesce(jsonb_agg(jsonb_build_object('deliveryId', id, 'eventId', event_id, 'eventType', event_type,
          'endpointId', endpoint_id)), '[]') from inserted
        where status = ${statusAfter(transaction, 'createdAndClaimed')}) as claimed`;
  if (row === undefined) throw new Error('fan-out returned no row');
  const { read, inserted, lastId, claimed, startedAt } = row;
  const pending = inserted - claimed.length;
  return { inserted, pending, lastId: read === pageSize ? lastId : null, claimed, startedAt };
}
