import type { Database } from '../../src/db/client.ts';
import { rowById } from '../../src/db/row-look-up.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup, wait } from '../../src/shared/loop.ts';
import { filtersOf } from '../../src/shared/webhooks/receives-event.ts';
import { matches, subjectFiltersOf } from '../fan-out/endpoint-matching.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { Counters } from '../telemetry/counters.ts';

interface ReconcileDeliveriesDependencies {
  sql: Database;
  counters: Counters;
  /** Wakes the claim loop. */
  wakeup: Wakeup;
  settings: RelaySettings;
  clock: Clock;
  log: Logger;
}

const EVENTS_PER_STEP = 20;
/** The clock of a relay and a clock that makes ids differ by less. An id is made when its event happens, or later. */
const CLOCKS_APART_MS = 15 * 60 * 1000;
/** The loop pauses for this many times the duration of its last step. */
const PAUSE_RATIO = 9;

/**
 * Checks the recent events again and again, a few at a time and with long pauses, because a check of what should be
 * right anyway must not slow down deliveries that wait.
 */
export function reconcileDeliveriesLoop(
  { sql, counters, wakeup, settings, clock, log }: ReconcileDeliveriesDependencies,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  return runLoop({
    name: 'reconcile-deliveries',
    log,
    signal,
    idleMs: settings.compareMs,
    async step(stepSignal, pulse) {
      const startedAtMs = performance.now();
      const { deliveries, last }: { deliveries: number; last: string | null } = await repairMissingDeliveries(
        sql,
        after,
        { windowMs: settings.compareWindowMs, ageMs: settings.reconcileAgeMs, now: clock.now() },
      );
      after = last;
      if (deliveries > 0) {
        counters.repairedDeliveries += deliveries;
        log.warn({ deliveries }, 'deliveries.repaired');
        wakeup.wake();
      }
      if (last !== null) await pulse.rest(wait(PAUSE_RATIO * (performance.now() - startedAtMs), stepSignal));
      return last !== null;
    },
  });
}

/**
 * Compares events that are marked as fanned out with the deliveries that must exist, and inserts missing ones. This
 * second, independent check finds rows that were lost by a restore or by hand, and endpoints whose creation committed
 * after the fan-out of a younger event. An endpoint that changed after the event is left out, because its filters and
 * status at the time of the event are unknown.
 *
 * @param after events with larger ids are compared; null begins at `windowMs` before `now`
 * @returns the number of rows inserted, and the event after which to continue; `last` is null after the newest event
 */
export async function repairMissingDeliveries(
  sql: Database,
  after: string | null,
  { windowMs, ageMs, now }: { windowMs: number; ageMs: number; now: Date },
): Promise<{ deliveries: number; last: string | null }> {
  const events = await sql<{ id: string; type: string; subject: string }[]>`
    select id, type, subject from events
    where created_at between now() - ${windowMs} * interval '1 millisecond'
        and now() - ${ageMs} * interval '1 millisecond'
      and id > ${after ?? firstUuidOf(now.getTime() - windowMs - CLOCKS_APART_MS)}::uuid
    order by id limit ${EVENTS_PER_STEP}`;
  const last = events.at(-1)?.id ?? null;
  if (last === null) return { deliveries: 0, last };
  const compared = events.map(({ id, type, subject }) => ({
    id,
    filters: filtersOf(type),
    subjects: subjectFiltersOf(subject),
  }));
  const receives = sql`endpoint.status = 'enabled' and endpoint.deleted_at is null
    and endpoint.updated_at <= event.created_at and ${matches(sql)}`;
  const repaired = await sql`
    with page as materialized (
      select event.id, event.type, event.subject, event.account_id, event.only_endpoint_id, event.created_at,
        compared.filters, compared.subjects
      from jsonb_to_recordset(${sql.json(compared)}) as compared(id uuid, filters text[], subjects text[])
      join events as event on ${rowById(sql, sql`event.id`, sql`compared.id`)}
      where not exists (select from events_to_fan_out where ${rowById(sql, sql`event_id`, sql`event.id`)})
    ), wanted as (
      select event.id as event_id, event.type, endpoint.id as endpoint_id
      from page as event join webhook_endpoints as endpoint
        on event.account_id is null and endpoint.event_types && event.filters
          and coalesce(endpoint.subjects, '{*}'::text[]) && event.subjects and ${receives}
      union all
      select event.id, event.type, endpoint.id
      from page as event join webhook_endpoints as endpoint
        on endpoint.account_id = event.account_id and ${receives}
    )
    insert into webhook_deliveries
      (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select ${uuidV7(sql)}, endpoint_id, event_id, type, ${statusAfter(sql, 'created')}, now(), now(), now()
    from wanted
    where not exists (
      select from webhook_deliveries as delivery
      where delivery.endpoint_id = wanted.endpoint_id and delivery.event_id = wanted.event_id)
    order by endpoint_id, event_id
    on conflict (endpoint_id, event_id) do nothing`;
  return { deliveries: repaired.count, last };
}
