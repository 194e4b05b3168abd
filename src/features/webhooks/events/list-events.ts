import type { Queryable } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import { Problem } from '../../../shared/problem.ts';
import type { VisibleTypes } from './visible-types.ts';

/**
 * Events stand in the order of the transactions that recorded them, those of one transaction by their ids. Transactions
 * are numbered by the cluster and its timeline, so the position names those too (decisions/0036).
 */
export type EventPosition = readonly [numbering: string, transaction: string, id: string];

/** The public record (contract/events#record). */
export interface EventRecord {
  id: string;
  type: string;
  subject: string;
  recordedAt: string;
  body: unknown;
}

export interface EventSelection {
  accountId: string;
  types: VisibleTypes;
  subject?: string | undefined;
  /** Recorded at this time or later, by the time in the id. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
  limit: number;
  after?: EventPosition | undefined;
}

export interface EventRow {
  id: string;
  type: string;
  subject: string;
  body: string;
  transaction: string;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/**
 * Between a transaction's number and the ids in it lies less than this: statements end within 10 minutes,
 * those of the processes within 2 (src/db/limits.ts), and clocks differ by less. Only bounds what a time range reads.
 */
const TRANSACTION_MS_MAX = 900_000;

/**
 * Public events and those of the account, oldest first; none about a hidden token. Only transactions older than any that is under way are read, so
 * nothing is ever recorded before a position that was returned. The last page has a position too, to go on from later;
 * throws `cursor_invalid` for a position of another numbering.
 */
export async function listEvents(
  db: Queryable,
  { limit, after, ...selection }: EventSelection,
): Promise<KeysetPage<EventRecord, EventPosition> & { last: EventPosition }> {
  const numbering = await readNumbering(db);
  const [named = numbering, transaction = '0', id = FIRST_ID] = after ?? [];
  if (named !== numbering)
    throw new Problem('cursor_invalid', {
      detail: 'The database was restored or has failed over since: begin again with `createdAfter`.',
    });
  const rows = await db<EventRow[]>`
    select id, type, subject, body, recorded_in::text as transaction from events
    where id = any(array(${selectedIds(db, selection, { transaction, id }, limit + 1)}))
    order by recorded_in, id`;
  const positionOf = (row: EventRow): EventPosition => [numbering, row.transaction, row.id];
  const page = keysetPage(rows, limit, toEvent, positionOf);
  const shown = rows[Math.min(limit, rows.length) - 1];
  return { ...page, last: shown === undefined ? [numbering, transaction, id] : positionOf(shown) };
}

/** What makes the numbers of transactions meaningful: another after a restore into a new cluster, or a failover. */
async function readNumbering(db: Queryable): Promise<string> {
  const [row] = await db<{ numbering: string }[]>`
    select system_identifier::text || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as numbering
    from pg_control_system()`;
  if (row === undefined) throw new Error('the cluster has no identifier');
  return row.numbering;
}

/** SQL: ids of the next events, each type or subject read by its index and merged. */
function selectedIds(
  db: Queryable,
  { accountId, types, subject, from, to }: Omit<EventSelection, 'limit' | 'after'>,
  after: { transaction: string; id: string },
  count: number,
) {
  const lowest = from === undefined ? db`'0'::xid8` : lowestTransaction(db, from);
  const highest = to === undefined ? db`'18446744073709551615'::xid8` : highestTransaction(db, to);
  const bounds = db`
    with after as materialized (
      select ${after.transaction}::xid8 as transaction, ${after.id}::uuid as id, ${lowest} as lowest
    ), range as materialized (
      select greatest(transaction, lowest) as low, case when lowest > transaction then ${FIRST_ID}::uuid else id end as low_id,
        least(${highest}, pg_snapshot_xmin(pg_current_snapshot())) as high
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
        where subject = ${subject} and (recorded_in, id) > (range.low, range.low_id) and recorded_in < range.high
          and (account_id is null or account_id = ${accountId}::uuid)
          and type = any(${[...types.ofEveryone, ...types.ofAccount]}::text[]) ${isListed}
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
          and (recorded_in, id) > (range.low, range.low_id) and recorded_in < range.high ${isListed}
        order by recorded_in, id limit ${count}
      ) as event
      union all
      select event.id, event.recorded_in
      from range cross join unnest(${types.ofAccount}::text[]) as wanted (type)
      cross join lateral (
        select id, recorded_in from events
        where account_id = ${accountId}::uuid and type = wanted.type
          and (recorded_in, id) > (range.low, range.low_id) and recorded_in < range.high ${isListed}
        order by recorded_in, id limit ${count}
      ) as event
    ) as candidate order by recorded_in, id limit ${count}`;
}

/** SQL: no event recorded from a time on is of an older transaction. */
function lowestTransaction(db: Queryable, from: Date) {
  return db`coalesce((
    select recorded_in from events where id < ${firstUuidOf(from.getTime() - TRANSACTION_MS_MAX)}::uuid
    order by id desc limit 1), '0'::xid8)`;
}

/** SQL: no event recorded before a time is of a younger transaction. Those that a restore brought have 0, all of them. */
function highestTransaction(db: Queryable, to: Date) {
  return db`coalesce((
    select greatest(recorded_in, '1'::xid8) from events where id > ${firstUuidOf(to.getTime() + TRANSACTION_MS_MAX)}::uuid
    order by id limit 1), '18446744073709551615'::xid8)`;
}

export function toEvent({ id, type, subject, body }: Omit<EventRow, 'transaction'>): EventRecord {
  return { id, type, subject, recordedAt: timeOf(id).toISOString(), body: JSON.parse(body) };
}

/** The time in a UUIDv7 (RFC 9562 section 5.7). */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
