import { FASTEST_PER_SECOND } from '../../chain/pace/chain-pace.ts';
import { WINDOW_BLOCKS } from '../../chain/pace/protocol.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { type IntentEventRow, type IntentRow, intentColumns, intentEventColumns } from '../row.ts';
import { endIntents, type IntentContext } from './end-intents.ts';

/** By which height windows close, and how far that height can be from them. */
interface HeightJudgement {
  blockHeight: bigint | null;
  fastestPerSecond: number;
}

/** SQL: there is an intent for `expireIntents`. */
export function isIntentOverdue(
  db: Database,
  now: Date,
  blockHeight: bigint | null,
  fastestPerSecond = FASTEST_PER_SECOND,
): ReturnType<Database> {
  return anyOverdue(db, now, { blockHeight, fastestPerSecond }, bornInThisHistory(db));
}

/**
 * SQL: this history of the database is new to the workers, or an intent is overdue that is older than it, and
 * `settleUnsubmitted` has to look for its transaction (decisions/0072).
 */
export function isSuspectOverdue(
  db: Database,
  now: Date,
  blockHeight: bigint | null,
  fastestPerSecond = FASTEST_PER_SECOND,
): ReturnType<Database> {
  return db`
    (not exists (select from database_histories where history = database_history())
      or ${anyOverdue(db, now, { blockHeight, fastestPerSecond }, bornEarlier(db))})`;
}

/**
 * Expires up to `limit` prepared intents whose time is over or whose blockhash window has closed, except
 * those that are older than this history of the database: their submission may have been lost. Returns their
 * number. A height that the chain cannot have reached since an intent was prepared does not expire it (like
 * `isWindowClosed`).
 * @param blockHeight newest believed height; null when no node has responded yet. An old height only expires
 * intents later.
 * @param fastestPerSecond blocks that a chain can make in a second
 */
export async function expireIntents(
  context: IntentContext,
  blockHeight: bigint | null,
  limit: number,
  fastestPerSecond = FASTEST_PER_SECOND,
): Promise<number> {
  const { db } = context;
  const head = { blockHeight, fastestPerSecond };
  const now = context.clock.now();
  const rows = await db<(IntentEventRow & { history: string })[]>`
    with overdue as materialized (
      (select id ${overdueByTime(db, now, bornInThisHistory(db))} limit ${limit})
      union (select id ${overdueByHeight(db, now, head, bornInThisHistory(db))} limit ${limit})
      limit ${limit}
    )
    select ${intentEventColumns(db)}, (select database_history()) as history
    from overdue, transaction_intents i where ${rowById(db, db`i.id`, db`overdue.id`)}`;
  const ends = rows.map(({ id }) => ({ intentId: id, status: 'expired' as const }));
  const known = new Map(rows.map(({ history, ...row }) => [row.id, { row, traceparent: null }]));
  // Not on another server than the one where they had no submission.
  return endIntents(context, ends, known, rows[0]?.history);
}

/** Overdue intents that are older than this history of the database, in the order of their ids. */
export function listSuspects(
  db: Database,
  {
    now,
    blockHeight,
    fastestPerSecond = FASTEST_PER_SECOND,
    afterId,
    limit,
  }: { now: Date; blockHeight: bigint | null; fastestPerSecond?: number; afterId: string; limit: number },
): Promise<IntentRow[]> {
  return db<IntentRow[]>`
    with overdue as materialized (
      (select id ${overdueByTime(db, now, bornEarlier(db))})
      union (select id ${overdueByHeight(db, now, { blockHeight, fastestPerSecond }, bornEarlier(db))})
    ), page as materialized (
      select id from overdue where id > ${afterId} order by id limit ${limit}
    )
    select ${intentColumns(db)} from page, transaction_intents i where ${rowById(db, db`i.id`, db`page.id`)} order by i.id`;
}

/** Records that workers have met this history of the database. True for the first one that does. */
export async function meetHistory(db: Database): Promise<boolean> {
  const met = await db`
    insert into database_histories (history, met_at) select database_history(), now()
    where not exists (select from database_histories where history = database_history())
    on conflict do nothing`;
  return met.count > 0;
}

function bornInThisHistory(sql: Queryable): ReturnType<Queryable> {
  return sql`created_at >= (select met_at from database_histories where history = database_history())`;
}

function bornEarlier(sql: Queryable): ReturnType<Queryable> {
  return sql`created_at < (select met_at from database_histories where history = database_history())`;
}

// Two conditions, each in the order of its own index. With both in one, or without an order, Postgres may
// read all prepared intents, above all when it planned while the table was new (7 ms per call with 12,000
// intents).

function overdueByTime(sql: Queryable, now: Date, born: ReturnType<Queryable>): ReturnType<Queryable> {
  return sql`
    from transaction_intents where status = 'prepared' and expires_at <= ${now} and ${born} order by expires_at`;
}

function overdueByHeight(
  sql: Queryable,
  now: Date,
  { blockHeight, fastestPerSecond }: HeightJudgement,
  born: ReturnType<Queryable>,
): ReturnType<Queryable> {
  return sql`
    from transaction_intents
    where status = 'prepared' and last_valid_block_height < ${blockHeight}::int8
      and ${blockHeight}::int8 - last_valid_block_height <= ${WINDOW_BLOCKS}::int8
        + ceil(${fastestPerSecond}::float8 * greatest(0, extract(epoch from ${now}::timestamptz - created_at)::float8))
      and ${born}
    order by last_valid_block_height`;
}

function anyOverdue(
  sql: Queryable,
  now: Date,
  head: HeightJudgement,
  born: ReturnType<Queryable>,
): ReturnType<Queryable> {
  return sql`
    coalesce((select true ${overdueByTime(sql, now, born)} limit 1),
      (select true ${overdueByHeight(sql, now, head, born)} limit 1), false)`;
}
