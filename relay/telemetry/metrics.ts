import type { Database } from '../../src/db/client.ts';
import { observeDatabase } from '../../src/db/observation.ts';
import type { ProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { isOpen } from '../model/delivery-transitions.ts';
import { failingRule } from '../model/failing-rule.ts';
import type { Counters } from './counters.ts';

/** Name and help text of the counters that are simple numbers. */
const simpleCounters = {
  messages: ['launchwire_relay_messages_total', 'Event messages taken from the broker'],
  poisonMessages: [
    'launchwire_relay_poison_messages_total',
    'Messages that announce no known event and were parked',
  ],
  fannedOutDeliveries: ['launchwire_relay_fanned_out_total', 'Deliveries made from events'],
  expiredLeases: [
    'launchwire_relay_lease_expiries_total',
    'Deliveries taken back from relays that wrote no result',
  ],
  inactiveDeliveries: [
    'launchwire_relay_inactive_deliveries_total',
    'Deliveries ended because their endpoint is off',
  ],
  duplicateAttempts: [
    'launchwire_relay_duplicate_attempts_total',
    'First attempts at deliveries that another relay attempted too',
  ],
  unfinishedEvents: [
    'launchwire_relay_event_lease_expiries_total',
    'Events taken back from relays that were sending them and did not finish',
  ],
  repairedEvents: [
    'launchwire_relay_repaired_events_total',
    'Events that the reconciler fanned out instead of the broker',
  ],
  repairedDeliveries: ['launchwire_relay_repaired_deliveries_total', 'Deliveries that the reconciler made'],
  endedSessions: ['launchwire_relay_ended_sessions_total', 'Consumer sessions that broke'],
} as const satisfies Partial<Record<keyof Counters, readonly [string, string]>>;

export interface ObservedRelay {
  counters: Counters;
  /** Attempts in flight. */
  inFlight(): number;
  /** Events whose deliveries do not all have rows, and first attempts that wait for a slot. */
  waiting(): { events: number; firstAttempts: number };
}

/** Registers the metrics of the counters and queues of this process. */
export function observeRelay(metrics: ProcessMetrics, { counters, inFlight, waiting }: ObservedRelay): void {
  for (const [name, [metric, help]] of Object.entries(simpleCounters)) {
    const count = () => counters[name as keyof typeof simpleCounters];
    metrics.tallies(metric, help, [], () => [{ labels: {}, count: count() }]);
  }
  metrics.tallies(
    'launchwire_relay_attempts_total',
    'Finished attempts by error code, or succeeded; less usual HTTP statuses by class',
    ['code'],
    () => talliesOf(counters.attemptClasses, 'code'),
  );
  metrics.tallies(
    'launchwire_relay_deliveries_total',
    'What finished attempts made of their deliveries: succeeded, retrying, dead_letter',
    ['status'],
    () => talliesOf(counters.deliveries, 'status'),
  );
  metrics.addDurations(counters.phases.durations);
  metrics.addDurations(counters.events.durations);
  metrics.liveGauge('launchwire_relay_in_flight', 'Attempts in flight in this process', inFlight);
  metrics.liveGauge(
    'launchwire_relay_held_events',
    'Events whose deliveries do not all have rows yet, in this process',
    () => waiting().events,
  );
  metrics.liveGauge(
    'launchwire_relay_queued_first_attempts',
    'First attempts that wait for a slot, in this process',
    () => waiting().firstAttempts,
  );
}

function talliesOf(counts: Readonly<Record<string, number>>, label: string) {
  return Object.entries(counts).map(([value, count]) => ({ labels: { [label]: value }, count }));
}

/**
 * Registers the gauges that all relays have in common, which are read from the database.
 *
 * @param scrapeDatabase has a statement timeout of its own
 */
export function observeDeliveries(
  metrics: ProcessMetrics,
  database: Database,
  scrapeDatabase: Database,
): void {
  observeDatabase(metrics, database);
  const age = metrics.gauge(
    'launchwire_relay_oldest_due_seconds',
    'How long the most overdue delivery has been due, paused endpoints left out',
  );
  const open = metrics.gauge(
    'launchwire_relay_open_deliveries',
    'Open deliveries: due now, scheduled for later, processing; each counted up to 10,000',
    ['state'],
  );
  const failing = metrics.gauge(
    'launchwire_relay_failing_endpoints',
    'Enabled endpoints whose every attempt has failed for 20 minutes; counted up to 10,000',
  );
  metrics.addSource({
    name: 'failing-endpoints',
    gauges: [failing],
    async load() {
      const count = await countFailing(scrapeDatabase);
      return () => failing.set(count);
    },
  });
  metrics.addSource({
    name: 'deliveries',
    gauges: [age, open],
    async load() {
      const { oldestDueSeconds, ...states } = await readBacklog(scrapeDatabase);
      return () => {
        age.set(oldestDueSeconds);
        for (const [state, count] of Object.entries(states)) open.set(count, { state });
      };
    },
  });
}

/** Counts stop here: larger ones would read a whole backlog, or every endpoint in an outage. */
const COUNT_MAX = 10_000;
/** Most overdue deliveries that are searched for one whose endpoint is not paused. */
const OVERDUE_MAX = 1_000;

export interface Backlog {
  due: number;
  scheduled: number;
  processing: number;
  /** 0 when nothing is due. */
  oldestDueSeconds: number;
}

/** Counts the open deliveries of the whole service; each count reads a partial index and is bounded. */
export async function readBacklog(sql: Database): Promise<Backlog> {
  const [row] = await sql<Backlog[]>`
    select
      (select count(*)::int from (select from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at <= now() limit ${COUNT_MAX}) due) as due,
      (select count(*)::int from (select from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at > now() limit ${COUNT_MAX}) later) as scheduled,
      (select count(*)::int from (select from webhook_deliveries
        where status = 'processing' and lease_expires_at is not null limit ${COUNT_MAX}) taken) as processing,
      coalesce((
        select extract(epoch from now() - min(greatest(overdue.next_attempt_at, endpoint.paused_until)))
        from (
          select endpoint_id, next_attempt_at from webhook_deliveries
          where ${isOpen(sql)} and next_attempt_at <= now()
          order by next_attempt_at limit ${OVERDUE_MAX}) overdue
        join webhook_endpoints endpoint on endpoint.id = overdue.endpoint_id
        where endpoint.paused_until is null or endpoint.paused_until <= now()), 0)::float8 as oldest_due_seconds`;
  if (row === undefined) throw new Error('the backlog returned no row');
  return row;
}

/** Counts enabled endpoints whose every attempt has failed for 20 minutes, by the index of failing ones. */
export async function countFailing(sql: Database): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_endpoints
      where failing_since is not null and status = 'enabled' and deleted_at is null
        and greatest(failing_since, judged_from) <= now() - ${failingRule.announcedAfterMinutes}::int4 * interval '1 minute'
      limit ${COUNT_MAX}) failing`;
  return row?.count ?? 0;
}
