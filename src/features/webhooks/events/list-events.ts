import type { Queryable } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { firstUuidOf, uuidTime } from '../../../shared/first-uuid.ts';
import { Problem } from '../../../shared/problem.ts';
import type { EventRecord } from './schema.ts';
import type { VisibleTypes } from './visible-types.ts';

/**
 * Events are ordered by the transactions that recorded them, and within one transaction by their ids. Places
 * in that order belong to one cluster, so the position names it (decisions/0058, 0067).
 */
export type EventPosition = readonly [cluster: string, place: string, id: string];

export interface EventSelection {
  accountId: string;
  types: VisibleTypes;
  subject?: string | undefined;
  /** Only events recorded at this time or later, by the time in the id. */
  from?: Date | undefined;
  /** Only events recorded before this time. */
  to?: Date | undefined;
  limit: number;
  after?: EventPosition | undefined;
}

interface EventRow {
  id: string;
  type: string;
  subject: string;
  body: string;
  place: string;
}

/** Trades are listed for this long. */
const KEPT_MS = unpublishedLimits.followedEventDays * 24 * 60 * 60 * 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Below every event: an empty table keeps only the position before all of them. */
const FIRST_PLACED_ID = '00000000-0000-0000-0000-000000000001';
/**
 * A transaction takes its place less than this long before or after the ids in it are made: statements end
 * within 10 minutes, those of the processes within 2 (src/db/limits.ts), and clocks differ by less. It only
 * bounds the reads of a time range.
 */
const TRANSACTION_MS_MAX = 900_000;

/**
 * Public events and those of the account, oldest first; none about a hidden token. Reads only the complete
 * part of the order, so no event is ever recorded before a returned position. The last page has a position
 * too, from which to continue later. Throws `cursor_invalid` for a position of another cluster, and for one
 * whose event is not here: a standby was promoted, or a backup restored, to which it had not come.
 */
export async function listEvents(
  db: Queryable,
  { limit, after, ...selection }: EventSelection,
): Promise<KeysetPage<EventRecord, EventPosition> & { last: EventPosition }> {
  // A separate statement before the read: everything that is complete now is visible to the next snapshot.
  const [named, place = '0', id = FIRST_ID] = after ?? [];
  const { cluster, horizon, isKept } = await readHorizon(db, id);
  if (!isKept || (named !== undefined && named !== cluster))
    throw new Problem('cursor_invalid', {
      detail:
        'The database was restored or has failed over since, without the event of this cursor: begin again with `createdAfter`.',
    });
  const rows = await db<EventRow[]>`
    select id, type, subject, body, recorded_in::text as place from events
    where id = any(array(${selectedIds(db, selection, { place, id, horizon }, limit + 1)}))
    order by recorded_in, id`;
  const positionOf = (row: EventRow): EventPosition => [cluster, row.place, row.id];
  const page = keysetPage(rows, limit, toEvent, positionOf);
  const shown = rows[Math.min(limit, rows.length) - 1];
  return { ...page, last: shown === undefined ? [cluster, place, id] : positionOf(shown) };
}

interface Horizon {
  /** The cluster that the places belong to. */
  cluster: string;
  /** The last complete place. */
  horizon: string;
  /** Whether the event of the position is here, or was deleted for its age. */
  isKept: boolean;
}

/** A promoted standby gives out places above all earlier ones: only what was lost makes a position wrong. */
async function readHorizon(db: Queryable, eventId: string): Promise<Horizon> {
  const [row] = await db<Horizon[]>`
    select system_identifier::text as cluster, event_horizon()::text as horizon,
      (exists (select from events where id = ${eventId})
        or ${eventId}::uuid < coalesce((select id from events order by id limit 1), ${FIRST_PLACED_ID}::uuid)) as is_kept
    from pg_control_system()`;
  if (row === undefined) throw new Error('the cluster has no identifier');
  return row;
}

/** SQL: ids of the next events, each type or subject read by its index and merged. */
function selectedIds(
  db: Queryable,
  { accountId, types, subject, from, to }: Omit<EventSelection, 'limit' | 'after'>,
  after: { place: string; id: string; horizon: string },
  count: number,
) {
  const lowest = from === undefined ? db`'0'::xid8` : lowestPlace(db, from);
  const highest = to === undefined ? db`'18446744073709551615'::xid8` : highestPlace(db, to);
  const bounds = db`
    with after as materialized (
      select ${after.place}::xid8 as place, ${after.id}::uuid as id, ${lowest} as lowest
    ), range as materialized (
      select greatest(place, lowest) as low, case when lowest > place then ${FIRST_ID}::uuid else id end as low_id,
        least(${highest}, ${after.horizon}::xid8) as high
      from after)`;
  const isListed = db`
    and not ${concernsHiddenToken(db, db`events`)}
    ${from === undefined ? db`` : db`and id >= ${firstUuidOf(from.getTime())}::uuid`}
    ${to === undefined ? db`` : db`and id < ${firstUuidOf(to.getTime())}::uuid`}`;
  if (subject !== undefined)
    return db`
      ${bounds}
      select event.id from range cross join lateral (
        select id, recorded_in from events
        where subject = ${subject} and (recorded_in, id) > (range.low, range.low_id) and recorded_in <= range.high
          and (account_id is null or account_id = ${accountId}::uuid)
          and (type = any(${[...types.ofEveryone, ...types.ofAccount]}::text[])
            or ${isFollowed(db, accountId, types)}) ${isListed}
        order by recorded_in, id limit ${count}
      ) as event`;
  return db`
    ${bounds}
    select id from (
      select event.id, event.recorded_in
      from range cross join unnest(${types.ofEveryone}::text[]) as wanted (type)
      cross join lateral (
        select id, recorded_in from events
        where account_id is null and type = wanted.type
          and (recorded_in, id) > (range.low, range.low_id) and recorded_in <= range.high ${isListed}
        order by recorded_in, id limit ${count}
      ) as event
      union all
      select event.id, event.recorded_in
      from range cross join unnest(${types.ofAccount}::text[]) as wanted (type)
      cross join lateral (
        select id, recorded_in from events
        where account_id = ${accountId}::uuid and type = wanted.type
          and (recorded_in, id) > (range.low, range.low_id) and recorded_in <= range.high ${isListed}
        order by recorded_in, id limit ${count}
      ) as event
    ) as candidate order by recorded_in, id limit ${count}`;
}

/**
 * SQL: the event is a trade of the last days whose type and subject an endpoint of the account names
 * (contract/events#list-trades). At most 21 look-ups by key.
 */
function isFollowed(db: Queryable, accountId: string, { ofFollowers = [] }: VisibleTypes) {
  if (ofFollowers.length === 0) return db`false`;
  return db`(account_id is null and type = any(${ofFollowers}::text[])
    and id >= (lpad(to_hex((extract(epoch from now()) * 1000)::int8 - ${KEPT_MS}::int8), 12, '0') || '70008000000000000000')::uuid
    and exists (
      select from webhook_endpoints e join endpoint_subjects s on s.endpoint_id = e.id and s.subject = events.subject
      where e.account_id = ${accountId}::uuid and e.deleted_at is null and events.type = any(e.event_types)))`;
}

/** SQL: every event recorded from a time on has this place or a later one. */
function lowestPlace(db: Queryable, from: Date) {
  return db`coalesce((
    select recorded_in from events where id < ${firstUuidOf(from.getTime() - TRANSACTION_MS_MAX)}::uuid
    order by id desc limit 1), '0'::xid8)`;
}

/** SQL: every event recorded before a time has this place or an earlier one. */
function highestPlace(db: Queryable, to: Date) {
  return db`coalesce((
    select recorded_in from events where id > ${firstUuidOf(to.getTime() + TRANSACTION_MS_MAX)}::uuid
    order by id limit 1), '18446744073709551615'::xid8)`;
}

function toEvent({ id, type, subject, body }: Omit<EventRow, 'place'>): EventRecord {
  return { id, type, subject, recordedAt: uuidTime(id).toISOString(), body: JSON.parse(body) };
}

/**
 * One event, by the rules of the list (contract/events#get); null for an event that the list would not show.
 */
export async function findEvent(
  db: Queryable,
  eventId: string,
  { accountId, types }: { accountId: string; types: VisibleTypes },
): Promise<EventRecord | null> {
  const [row] = await db<Omit<EventRow, 'place'>[]>`
    select id, type, subject, body from events
    where id = ${eventId}
      and ((account_id is null and type = any(${types.ofEveryone}::text[]))
        or (account_id = ${accountId}::uuid and type = any(${types.ofAccount}::text[]))
        or ${isFollowed(db, accountId, types)})
      and not ${concernsHiddenToken(db, db`events`)}`;
  return row === undefined ? null : toEvent(row);
}
