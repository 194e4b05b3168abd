import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import { rowById } from '../../src/db/row-look-up.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup } from '../../src/shared/loop.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import { statusAfter, statusesBefore } from '../model/delivery-transitions.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { Counters } from '../telemetry/counters.ts';

interface SweepDependencies {
  sql: Database;
  cache: EndpointCache;
  counters: Counters;
  /** Wakes the claim loop. */
  wakeup: Wakeup;
  settings: RelaySettings;
  log: Logger;
}

/** An endpoint that becomes inactive is found by its change. Besides, all endpoints are checked this often. */
const INACTIVE_MS = 30_000;
/** Most rows of one statement. */
const BATCH_MAX = {
  deliveryLeases: 500,
  eventLeases: 5_000,
  inactiveDeliveries: 1_000,
  withoutEvent: 1_000,
} as const;

/**
 * Ends expired leases of deliveries and events, reads changed endpoints, ends the deliveries of inactive ones, and drops
 * marks of events that were deleted. One statement asks whether there is anything to do, and each step is bounded.
 */
export function sweepLoop(
  { sql, cache, counters, wakeup, settings, log }: SweepDependencies,
  signal: AbortSignal,
): Promise<void> {
  let endedInactiveAtMs = Number.NEGATIVE_INFINITY;
  return runLoop({
    name: 'sweep',
    log,
    signal,
    idleMs: settings.sweepMs,
    async step() {
      const due = await readDueWork(sql, cache.since);
      const expired = due.hasDeliveries ? await expireDeliveryLeases(sql) : 0;
      const leases = due.hasEvents ? await deleteEventLeases(sql) : { ended: 0, unfinished: 0 };
      if (due.hasEndpoints && cache.isLoaded) await cache.refresh();
      const checksInactive = due.hasEndpoints || performance.now() - endedInactiveAtMs > INACTIVE_MS;
      const dropped = checksInactive ? await dropWithoutEvent(sql) : 0;
      const ended = checksInactive ? await endInactiveDeliveries(sql) : 0;
      if (checksInactive && ended === 0) endedInactiveAtMs = performance.now();
      counters.expiredLeases += expired;
      counters.inactiveDeliveries += ended;
      counters.unfinishedEvents += leases.unfinished;
      if (leases.unfinished > 0) log.warn({ events: leases.unfinished }, 'event_leases.expired');
      if (expired > 0) {
        log.warn({ deliveries: expired }, 'leases.expired');
        wakeup.wake();
      }
      return expired + ended + leases.ended + dropped > 0;
    },
  });
}

/**
 * Whether leases of deliveries or events have ended, and whether transactions from `since` on have changed endpoints.
 */
async function readDueWork(
  sql: Database,
  since: string | null,
): Promise<{ hasDeliveries: boolean; hasEvents: boolean; hasEndpoints: boolean }> {
  const [row] = await sql<{ hasDeliveries: boolean; hasEvents: boolean; hasEndpoints: boolean }[]>`
    select exists (select from webhook_deliveries
        where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at < now()) as has_deliveries,
      exists (select from event_leases where lease_expires_at < now()) as has_events,
      exists (select from webhook_endpoints where changed_xid >= ${since}::xid8
        and changed_xid < pg_snapshot_xmax(pg_current_snapshot())) as has_endpoints`;
  if (row === undefined) throw new Error('the query for due work returned no row');
  return row;
}

/**
 * Releases the deliveries of relays that were killed between claim and result. The attempt ends with an unknown outcome
 * (`succeeded` null, `outcome_unknown`), and the delivery is due at once. It keeps its position in the schedule and its
 * last error, because the subscriber is not at fault. A subscriber that did receive the request receives the same
 * `webhook-id` again (at least once). Returns the number of deliveries.
 */
export async function expireDeliveryLeases(sql: Database): Promise<number> {
  const expired = await sql`
    with expired as (
      select id, updated_at as claimed_at from webhook_deliveries
      where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at < now()
      order by lease_expires_at limit ${BATCH_MAX.deliveryLeases}
      for update skip locked
    ), released as (
      update webhook_deliveries as delivery set
        status = ${statusAfter(sql, 'leaseExpired')}, next_attempt_at = now(), lease_expires_at = null, updated_at = now()
      from expired where delivery.id = expired.id
      returning delivery.id, delivery.attempt_count, expired.claimed_at
    ), ended as (
      insert into webhook_attempts
        (delivery_id, attempt_number, started_at, finished_at, error_code, error_detail)
      select id, attempt_count, claimed_at, now(), 'outcome_unknown',
        'the relay that claimed it wrote no result before its lease ended'
      from released
      on conflict (delivery_id, attempt_number) do nothing
    )
    select from released`;
  return expired.count;
}

/**
 * Deletes leases of events that have ended: the events are done, or free for every relay again. Returns the number of
 * leases, and the number of events that are not done because a relay was killed.
 */
export async function deleteEventLeases(sql: Queryable): Promise<{ ended: number; unfinished: number }> {
  const [row] = await sql<{ ended: number; unfinished: number }[]>`
    with expired as (
      select event_id from event_leases where lease_expires_at < now()
      order by lease_expires_at limit ${BATCH_MAX.eventLeases} for update skip locked
    ), deleted as (
      delete from event_leases where event_id = any(array(select event_id from expired)) returning event_id
    )
    select count(*)::int as ended, (count(*) filter (where exists (
        select from events_to_fan_out open where open.event_id = deleted.event_id)))::int as unfinished
    from deleted where ${asynchronousCommit(sql)}`;
  return row ?? { ended: 0, unfinished: 0 };
}

/**
 * Drops rows of events that were deleted by hand among the oldest that wait for a fan-out, which relays would pass over
 * with every look. Returns their number. The second statement asks again: its snapshot is younger than any move of an
 * event to another partition that the first one may have met.
 */
export async function dropWithoutEvent(sql: Queryable): Promise<number> {
  const isMissing = sql`not exists (select from events where ${rowById(sql, sql`id`, sql`open.event_id`)})`;
  const missing = await sql<{ eventId: string }[]>`
    select event_id from (
      select event_id from events_to_fan_out order by event_id limit ${BATCH_MAX.withoutEvent}) as open
    where ${isMissing}`;
  if (missing.length === 0) return 0;
  const dropped = await sql`
    delete from events_to_fan_out as open
    where event_id = any(${missing.map(({ eventId }) => eventId)}::uuid[]) and ${isMissing}`;
  return dropped.count;
}

/**
 * Ends the open deliveries of disabled and deleted endpoints as `dead_letter`, with `endpoint_disabled` or
 * `endpoint_deleted` (contract/delivery#inactive-endpoints). Attempts in flight finish first. Returns the number of
 * deliveries.
 */
export async function endInactiveDeliveries(sql: Database): Promise<number> {
  const ended = await sql`
    with ended as (
      select delivery.id,
        case when endpoint.deleted_at is null then 'endpoint_disabled' else 'endpoint_deleted' end as code
      from webhook_endpoints as endpoint
      cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = endpoint.id and status in ${statusesBefore(sql, 'endpointInactive')}
        order by next_attempt_at, id limit ${BATCH_MAX.inactiveDeliveries}
        for update skip locked
      ) as delivery
      where endpoint.status = 'disabled' or endpoint.deleted_at is not null
      limit ${BATCH_MAX.inactiveDeliveries}
    )
    update webhook_deliveries as delivery set
      status = ${statusAfter(sql, 'endpointInactive')}, next_attempt_at = null, last_error_code = ended.code, updated_at = now()
    from ended where delivery.id = ended.id`;
  return ended.count;
}
