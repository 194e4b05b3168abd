import type { Database, Transaction } from '../src/db/client.ts';
import { uuidV7 } from './delivery-id.ts';
import type { Allotment } from './slots.ts';

/** What a claim needs to know of an endpoint; locked while the claim's transaction runs. */
export interface ClaimedEndpoint {
  id: string;
  url: string;
  sealedSecret: Uint8Array;
  /** Null once the overlap of a rotation is over. */
  sealedPreviousSecret: Uint8Array | null;
}

/** A delivery that belongs to this relay until its lease ends. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  eventType: string;
  attemptId: string;
  /** From 1; also the fencing token: a result with an old number changes nothing. */
  attemptNumber: number;
  scheduleIndex: number;
  /** Since the delivery was due. */
  queuedMs: number;
  endpoint: ClaimedEndpoint;
}

export interface ClaimOptions {
  /** Attempts in flight per endpoint over all relays (`WEBHOOK_ENDPOINT_CONCURRENCY`). */
  perEndpoint: number;
  batch: number;
  leaseMs: number;
  allotment: Allotment;
}

export interface ClaimResult {
  claims: Claim[];
  /** Where the next round begins: round robin over endpoint ids. Null after the last endpoint. */
  cursor: string | null;
}

const ENDPOINTS_PER_CLAIM = 64;

/**
 * Claims due deliveries: `processing`, a lease, the attempt row, all in one transaction. Two statements, because
 * the limit per endpoint must hold over all relays: the first locks the endpoints it chooses and skips those
 * another relay has locked, so that the second, whose snapshot is younger than the locks, counts exactly.
 */
export async function claimDue(
  sql: Database,
  cursor: string | null,
  options: ClaimOptions,
): Promise<ClaimResult> {
  return await sql.begin(async (transaction) => {
    const { endpoints, last } = await lockEndpoints(transaction, cursor, options);
    if (endpoints.length === 0) return { claims: [], cursor: last };
    return { claims: await claimOf(transaction, endpoints, options), cursor: last };
  });
}

/**
 * Milliseconds until another delivery becomes due, null when none will. What is due already is left out: it was
 * just not claimable, because its endpoint waits or is busy.
 */
export async function nextDueMs(sql: Database): Promise<number | null> {
  const [row] = await sql<{ dueMs: number | null }[]>`
    select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as due_ms
    from webhook_deliveries where status in ('pending', 'retrying') and next_attempt_at > now()`;
  return row?.dueMs ?? null;
}

/**
 * Steps through the endpoints that have open deliveries, in id order and one index look-up each, until enough
 * are ready, and locks them. The conditions of `ready` are scalar subqueries on purpose: as joins they would
 * let the planner lose the order, and with it the round robin.
 */
async function lockEndpoints(
  transaction: Transaction,
  cursor: string | null,
  { allotment, perEndpoint }: ClaimOptions,
): Promise<{ endpoints: ClaimedEndpoint[]; last: string | null }> {
  const after = cursor === null ? transaction`` : transaction`and endpoint_id > ${cursor}::uuid`;
  const rows = await transaction<(ClaimedEndpoint & { last: string; count: number })[]>`
    with recursive open as (
      (select endpoint_id as id from webhook_deliveries
        where status in ('pending', 'retrying') ${after} order by endpoint_id limit 1)
      union all
      select (select delivery.endpoint_id from webhook_deliveries as delivery
        where delivery.status in ('pending', 'retrying') and delivery.endpoint_id > open.id
        order by delivery.endpoint_id limit 1)
      from open where open.id is not null
    ), ready as (
      select open.id from open
      where open.id is not null and open.id <> all(${[...allotment.full]}::uuid[])
        and (select status = 'enabled' and deleted_at is null and coalesce(paused_until <= now(), true)
          from webhook_endpoints as endpoint where endpoint.id = open.id)
        and (select min(next_attempt_at) from webhook_deliveries as due
          where due.endpoint_id = open.id and due.status in ('pending', 'retrying')) <= now()
        and (select count(*) from webhook_deliveries as held
          where held.endpoint_id = open.id and held.status = 'processing') < ${perEndpoint}
      limit ${ENDPOINTS_PER_CLAIM}
    ), ready_ids as materialized (
      select array_agg(id) as ids, count(*)::int as count from ready
    )
    select endpoint.id, endpoint.url, endpoint.sealed_secret,
      case when endpoint.previous_secret_expires_at > now() then endpoint.sealed_previous_secret end
        as sealed_previous_secret,
      (select ids[count] from ready_ids) as last, (select count from ready_ids) as count
    from webhook_endpoints as endpoint
    where endpoint.id = any((select ids from ready_ids)::uuid[])
      and endpoint.status = 'enabled' and endpoint.deleted_at is null
    for no key update of endpoint skip locked`;
  const [first] = rows;
  const last = first !== undefined && first.count === ENDPOINTS_PER_CLAIM ? first.last : null;
  return { endpoints: rows.map(({ last: _last, count: _count, ...endpoint }) => endpoint), last };
}

async function claimOf(
  transaction: Transaction,
  endpoints: readonly ClaimedEndpoint[],
  { allotment, batch, leaseMs, perEndpoint }: ClaimOptions,
): Promise<Claim[]> {
  const rooms = await countRooms(transaction, endpoints, perEndpoint, allotment, batch);
  if (rooms.length === 0) return [];
  const rows = await transaction<(Omit<Claim, 'endpoint'> & { endpointId: string })[]>`
    with due as materialized (
      select delivery.id, delivery.next_attempt_at
      from jsonb_to_recordset(${transaction.json(rooms)}) as room(id uuid, count int)
      cross join lateral (
        select id, next_attempt_at from webhook_deliveries
        where endpoint_id = room.id and status in ('pending', 'retrying') and next_attempt_at <= now()
        order by next_attempt_at, id limit room.count
        for update skip locked
      ) as delivery
    ), claimed as (
      update webhook_deliveries as delivery set
        status = 'processing', attempt_count = delivery.attempt_count + 1, next_attempt_at = null,
        lease_expires_at = now() + ${leaseMs} * interval '1 millisecond', updated_at = now()
      from due where delivery.id = due.id
      returning delivery.*, due.next_attempt_at as due_at, ${uuidV7(transaction)} as attempt_id
    ), started as (
      insert into webhook_attempts (id, delivery_id, attempt_number, started_at)
      select attempt_id, id, attempt_count, now() from claimed
    )
    select id as delivery_id, endpoint_id, event_id, event_type, attempt_id,
      attempt_count as attempt_number, schedule_index,
      floor(extract(epoch from now() - due_at) * 1000)::float8 as queued_ms
    from claimed`;
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return rows.flatMap(({ endpointId, ...claim }) => {
    const endpoint = byId.get(endpointId);
    return endpoint === undefined ? [] : [{ ...claim, endpoint }];
  });
}

/** How many deliveries each locked endpoint may get, within the batch and this process's slots. */
async function countRooms(
  transaction: Transaction,
  endpoints: readonly ClaimedEndpoint[],
  perEndpoint: number,
  allotment: Allotment,
  batch: number,
): Promise<{ id: string; count: number }[]> {
  const held = await transaction<{ endpointId: string; count: number }[]>`
    select endpoint_id, count(*)::int as count from webhook_deliveries
    where endpoint_id = any(${endpoints.map(({ id }) => id)}::uuid[]) and status = 'processing'
    group by endpoint_id`;
  const heldBy = new Map(held.map(({ endpointId, count }) => [endpointId, count]));
  // An equal part of the batch for everyone, so that one long queue does not take it all.
  const part = Math.max(1, Math.floor(batch / endpoints.length));
  return endpoints
    .map(({ id }) => ({ id, count: allotment.room(id, Math.min(part, perEndpoint - (heldBy.get(id) ?? 0))) }))
    .filter(({ count }) => count > 0);
}
