import type { Queryable, Transaction } from '../../../db/client.ts';
import { allSubjects } from '../../../db/endpoint-columns.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { rowById } from '../../../db/row-look-up.ts';
import { uuidV7 } from '../../../db/uuid-v7.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import { type MatchedEndpoint, receivesEvent } from '../../../shared/webhooks/receives-event.ts';
import type { DeliveryStatus } from './record.ts';
import { REPLAYS_MAX } from './replay-delivery.ts';

/** Statuses from which a delivery can be replayed (contract/delivery#replay). */
type ReplayableStatus = Extract<DeliveryStatus, 'succeeded' | 'dead_letter'>;

const RECOVERED_PER_STEP = 200;
const EVENTS_PER_STEP = 1_000;
/**
 * An endpoint with this many open deliveries gets no recovered ones: deliveries of new events would wait for
 * them.
 */
const OPEN_MAX = 1_000;
/** The clocks that make ids and the clock of `created_at` differ by less than this. */
const CLOCK_STEP_MS = 60_000;

interface Page {
  endpointId: string;
  since: Date;
  until: Date;
  afterId: string | null;
}

/** The result of one step; `afterId` is null at the end. */
interface Recovered {
  afterId: string | null;
  recovered: number;
  limitReached: number;
  notReplayable: number;
  isWaiting: boolean;
}

interface EndpointCondition {
  accountId: string;
  condition: 'enabled' | 'disabled' | 'deleted';
}

/** The condition of any account's endpoint, deleted ones included; null when there never was one. */
export async function findEndpointCondition(
  db: Queryable,
  endpointId: string,
): Promise<EndpointCondition | null> {
  const [row] = await db<EndpointCondition[]>`
    select account_id, case when deleted_at is null then status else 'deleted' end as condition
    from webhook_endpoints where id = ${endpointId}`;
  return row ?? null;
}

/** True when a recovery waits for the open deliveries of the endpoint. */
export async function isBacklogged(transaction: Transaction, endpointId: string): Promise<boolean> {
  const { count } = await transaction`
    select from webhook_deliveries
    where endpoint_id = ${endpointId} and status in ('pending', 'retrying') limit ${OPEN_MAX}`;
  return count === OPEN_MAX;
}

/**
 * True when so many of the retrying deliveries that a recovery has made due, up to `afterId`, are open: they wait
 * for their turn, or have failed again. Those that come later are open too, and delay no new events.
 */
export async function isRetryBacklogged(
  transaction: Transaction,
  { endpointId, since, afterId }: Omit<Page, 'until'>,
): Promise<boolean> {
  if (afterId === null) return false;
  const { count } = await transaction`
    select from webhook_deliveries
    where endpoint_id = ${endpointId} and status = 'retrying' and id > ${firstIdOf(since)}::uuid and id <= ${afterId}::uuid
      and created_at >= ${since} and not ${isHidden(transaction)}
    limit ${OPEN_MAX}`;
  return count === OPEN_MAX;
}

const firstIdOf = (since: Date) => firstUuidOf(since.getTime() - CLOCK_STEP_MS);
const endIdOf = (until: Date) => firstUuidOf(until.getTime() + CLOCK_STEP_MS);

/** SQL: the event of a delivery is about a hidden token. */
function isHidden(db: Queryable) {
  return db`exists (select from events where events.id = event_id and ${concernsHiddenToken(db, db`events`)})`;
}

/**
 * Makes the next attempt of the next `retrying` deliveries that were created between two times due at once, oldest
 * first; each keeps its place in the schedule (contract/delivery#retry-now). An attempt that began before `until` may
 * still fail: the page ends before its delivery. One that begins meanwhile is the attempt of the recovery.
 */
export async function recoverRetrying(
  transaction: Transaction,
  { endpointId, since, until, afterId }: Page,
): Promise<Recovered> {
  const found = await transaction<{ id: string; isInFlight: boolean; isHidden: boolean }[]>`
    select id, delivery.status = 'processing' as is_in_flight, ${isHidden(transaction)} as is_hidden
    from unnest('{retrying,processing}'::text[]) as wanted (status)
    cross join lateral (
      select id, event_id, delivery.status from webhook_deliveries delivery
      where endpoint_id = ${endpointId} and delivery.status = wanted.status and id > ${afterId ?? firstIdOf(since)}::uuid
        and id < ${endIdOf(until)}::uuid and created_at >= ${since} and created_at < ${until}
        and (delivery.status = 'retrying' or updated_at < ${until})
      order by id limit ${RECOVERED_PER_STEP}
    ) as delivery
    order by id limit ${RECOVERED_PER_STEP}`;
  const inFlight = found.findIndex((delivery) => delivery.isInFlight);
  const page = inFlight === -1 ? found : found.slice(0, inFlight);
  const shown = page.filter((delivery) => !delivery.isHidden).map(({ id }) => id);
  await transaction`
    update webhook_deliveries delivery set next_attempt_at = least(delivery.next_attempt_at, now()), updated_at = now()
    from (
      select id from webhook_deliveries where id = any(${shown}::uuid[]) and status = 'retrying'
      -- One order for all, so that two recoveries never wait for each other.
      order by id for update
    ) as chosen where delivery.id = chosen.id`;
  const isMore = inFlight !== -1 || page.length === RECOVERED_PER_STEP;
  return {
    afterId: isMore ? (page.at(-1)?.id ?? null) : null,
    recovered: shown.length,
    limitReached: 0,
    notReplayable: page.length - shown.length,
    isWaiting: inFlight !== -1,
  };
}

/**
 * Replays the next finished deliveries that were created between two times, oldest first, in one statement.
 * Deliveries that still have one of `statuses` become due at once, with the whole schedule again
 * (contract/delivery#replay). Those that ended at `endedBefore` or later are left.
 */
export async function recoverFinished(
  transaction: Transaction,
  {
    endpointId,
    since,
    until,
    afterId,
    statuses,
    endedBefore,
  }: Page & { statuses: readonly ReplayableStatus[]; endedBefore: Date | null },
): Promise<Recovered> {
  const [{ ids, replayed, limitReached }] = await transaction<
    [{ ids: string[]; replayed: number; limitReached: number }]
  >`
    with page as materialized (
      select delivery.id from unnest(${[...statuses]}::text[]) as wanted (status)
      cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = ${endpointId} and status = wanted.status and id > ${afterId ?? firstIdOf(since)}::uuid
          and id < ${endIdOf(until)}::uuid and created_at >= ${since} and created_at < ${until}
          ${endedBefore === null ? transaction`` : transaction`and updated_at < ${endedBefore}`}
        order by id limit ${RECOVERED_PER_STEP}
      ) as delivery
      order by delivery.id limit ${RECOVERED_PER_STEP}
    ), chosen as materialized (
      select id, replay_count from webhook_deliveries
      where id = any(array(select id from page)) and endpoint_id = ${endpointId} and status = any(${[...statuses]}::text[])
        and not ${isHidden(transaction)}
      -- One order for all, so that two replays never wait for each other.
      order by id for update
    ), replayed as (
      update webhook_deliveries delivery set
        status = 'pending', next_attempt_at = now(), schedule_index = 0, replay_count = delivery.replay_count + 1,
        updated_at = now()
      from chosen where delivery.id = chosen.id and chosen.replay_count < ${REPLAYS_MAX}
      returning delivery.id
    )
    select array(select id from page order by id) as ids, (select count(*)::int from replayed) as replayed,
      (select count(*)::int from chosen where replay_count >= ${REPLAYS_MAX}) as limit_reached`;
  const isMore = ids.length === RECOVERED_PER_STEP;
  return {
    afterId: isMore ? (ids.at(-1) ?? null) : null,
    recovered: replayed,
    limitReached,
    notReplayable: ids.length - replayed - limitReached,
    isWaiting: false,
  };
}

interface EventRow {
  id: string;
  type: string;
  subject: string;
  accountId: string | null;
  onlyEndpointId: string | null;
  createdAt: Date;
  isFannedOut: boolean;
}

/**
 * Creates the missing deliveries of the next events that were recorded between two times, while the endpoint
 * was disabled. The current filters of the endpoint apply; pings and events about hidden tokens are left out.
 * The page ends before an event whose deliveries the relay has not created yet.
 */
export async function recoverMissed(
  transaction: Transaction,
  { endpointId, since, until, afterId }: Page,
): Promise<Recovered> {
  const endpoint = await findMatched(transaction, endpointId);
  const events = await transaction<EventRow[]>`
    select id, type, subject, account_id, only_endpoint_id, created_at,
      not exists (
        select from events_to_fan_out where ${rowById(transaction, transaction`event_id`, transaction`id`)}
      ) as is_fanned_out
    from events
    where id > ${afterId ?? firstUuidOf(since.getTime())}::uuid and id < ${firstUuidOf(until.getTime())}::uuid
      and not ${concernsHiddenToken(transaction, transaction`events`)}
    order by id limit ${EVENTS_PER_STEP}`;
  const wanted = events.filter(
    (event) => event.onlyEndpointId === null && endpoint !== null && receivesEvent(endpoint, event),
  );
  const open = wanted.findIndex(({ isFannedOut }) => !isFannedOut);
  const settled = open === -1 ? wanted : wanted.slice(0, open);
  const chosen = settled.slice(0, RECOVERED_PER_STEP);
  const recovered = await insertMissing(transaction, endpointId, chosen);
  const isCut = settled.length > chosen.length;
  const isWaiting = open !== -1 && !isCut;
  const isWhole = !isCut && !isWaiting;
  const last = isWhole ? (events.length === EVENTS_PER_STEP ? events.at(-1) : undefined) : chosen.at(-1);
  return { afterId: last?.id ?? null, recovered, limitReached: 0, notReplayable: 0, isWaiting };
}

async function findMatched(transaction: Transaction, endpointId: string): Promise<MatchedEndpoint | null> {
  const [row] = await transaction<MatchedEndpoint[]>`
    select id, account_id, event_types, ${allSubjects(transaction)}, event_scopes, created_at from webhook_endpoints
    where id = ${endpointId}`;
  return row ?? null;
}

/** Existing deliveries stay as they are. */
async function insertMissing(
  transaction: Transaction,
  endpointId: string,
  events: readonly Pick<EventRow, 'id' | 'type'>[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { count } = await transaction`
    insert into webhook_deliveries
      (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select ${uuidV7(transaction)}, ${endpointId}, new.event_id, new.type, 'pending', now(), now(), now()
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[]) as new (event_id, type)
    -- In the order of every insert of deliveries, so that no two wait for each other.
    order by new.event_id
    on conflict (endpoint_id, event_id) do nothing`;
  return count;
}
