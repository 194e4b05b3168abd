import type { Database, Transaction } from '../../src/db/client.ts';
import { commitUnflushed } from '../../src/db/unflushed.ts';
import { type Claim, type ClaimedEndpoint, type ClaimOptions, roomsOf } from '../dispatch/claim-deliveries.ts';
import { uuidV7 } from './delivery-id.ts';
import { endpointPage, type FanOutBatch, matches, type Page } from './fan-out-events.ts';

const LOCK_WAIT_MS = 50;

export interface ClaimedPage extends Page {
  claims: Claim[];
}

/** A claimed delivery as it left the database. */
interface BornClaim {
  deliveryId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
}

/**
 * Makes the delivery rows of one page of endpoints and claims as many of them as there is room for at their birth:
 * an event's first attempt then waits for one commit instead of two, and its row is written once less. Endpoints that
 * have something due already get rows for later, so that nothing overtakes it. As in `claimDue`, endpoints are locked
 * before they are counted. Rejects with `lock_not_available` when the rows are another relay's at this moment.
 */
export async function fanOutClaiming(
  sql: Database,
  batch: FanOutBatch,
  after: string | null,
  pageSize: number,
  options: ClaimOptions,
): Promise<ClaimedPage> {
  return await sql.begin(async (transaction) => {
    const [, , endpoints] = await Promise.all([
      commitUnflushed(transaction),
      waitBriefly(transaction),
      lockMatching(transaction, batch, after, pageSize, options.allotment.full),
    ]);
    const rooms = endpoints.length === 0 ? [] : roomsOf(endpoints, options);
    const { born, startedAt, ...page } = await insertClaiming(transaction, batch, after, pageSize, {
      rooms,
      ...options,
    });
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    const claims = born.flatMap(({ endpointId, ...claim }) => {
      const endpoint = byId.get(endpointId);
      const first = { attemptNumber: 1, scheduleIndex: 0, queuedMs: 0, startedAt };
      return endpoint === undefined ? [] : [{ ...claim, ...first, endpoint }];
    });
    return { ...page, claims };
  });
}

/** While the endpoints are locked nobody else claims for them, so this does not wait for another relay's rows. */
async function waitBriefly(transaction: Transaction): Promise<void> {
  await transaction`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`;
}

/** Endpoints of the page that get at least one of the events and may be sent to now; locked. */
async function lockMatching(
  transaction: Transaction,
  batch: FanOutBatch,
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

async function insertClaiming(
  transaction: Transaction,
  batch: FanOutBatch,
  after: string | null,
  pageSize: number,
  { rooms, perEndpoint, leaseMs }: ClaimOptions & { rooms: readonly { id: string; count: number }[] },
): Promise<Page & { born: BornClaim[]; startedAt: Date }> {
  const [row] = await transaction<
    { seen: number; inserted: number; lastId: string | null; born: BornClaim[]; startedAt: Date }[]
  >`
    with page as materialized (${endpointPage(transaction, batch, after, pageSize)}),
    room as materialized (
      select room.id, least(room.count, ${perEndpoint} - (
          select count(*) from webhook_deliveries where endpoint_id = room.id and status = 'processing')) as count
      from unnest(${rooms.map(({ id }) => id)}::uuid[], ${rooms.map(({ count }) => count)}::int[]) as room(id, count)
      where not exists (
        select from webhook_deliveries as due where due.endpoint_id = room.id
          and due.status in ('pending', 'retrying') and due.next_attempt_at <= now())
    ), planned as (
      select endpoint.id as endpoint_id, event.id as event_id, event.type,
        row_number() over (partition by endpoint.id order by event.id) <= coalesce(room.count, 0) as claimed
      from page as endpoint
      join events as event on event.id = any(${batch.eventIds}::uuid[]) and ${matches(transaction)}
      left join room on room.id = endpoint.id
    ), inserted as (
      insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempt_count, next_attempt_at,
        lease_expires_at, created_at, updated_at)
      select ${uuidV7(transaction)}, endpoint_id, event_id, type,
        case when claimed then 'processing' else 'pending' end, claimed::int,
        case when claimed then null else now() end,
        case when claimed then now() + ${leaseMs} * interval '1 millisecond' end, now(), now()
      from planned
      -- Both of two relays insert in this order, so that neither waits for the other in a circle.
      order by endpoint_id, event_id
      on conflict (endpoint_id, event_id) do nothing
      returning id, endpoint_id, event_id, event_type, status
    )
    select (select count(*)::int from page) as seen,
      (select count(*)::int from inserted) as inserted,
      (select id from page order by id desc limit 1) as last_id,
      now() as started_at,
      (select coalesce(jsonb_agg(jsonb_build_object('deliveryId', id, 'eventId', event_id, 'eventType', event_type,
          'endpointId', endpoint_id)), '[]') from inserted where status = 'processing') as born`;
  if (row === undefined) throw new Error('fan-out returned no row');
  const { seen, inserted, lastId, born, startedAt } = row;
  const waiting = inserted - born.length;
  return { inserted, waiting, lastId: seen === pageSize ? lastId : null, born, startedAt };
}
