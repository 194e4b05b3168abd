import { CLIMB_PER_SECOND } from '../../chain/node-trust/climb-limit.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { LATE_PREPARATION_BLOCKS } from './blockhash-window.ts';
import { endIntents, type IntentContext } from './end-intents.ts';
import { type IntentEventRow, intentEventColumns } from './record.ts';

/** SQL: there is an intent for `expireIntents`. */
export function isIntentOverdue(db: Database, now: Date, blockHeight: bigint | null): ReturnType<Database> {
  return db`
    coalesce((${anyOf(db, overdueByTime(db, now))}), (${anyOf(db, overdueByHeight(db, now, blockHeight))}), false)`;
}

/**
 * Expires up to `limit` prepared intents whose time is over or whose blockhash window has closed. Returns
 * their number. A height that the chain cannot have reached since an intent was prepared does not expire it
 * (like `isWindowClosed`).
 * @param blockHeight newest believed height; null when no node has responded yet. An old height only expires
 * intents later.
 */
export async function expireIntents(
  context: IntentContext,
  blockHeight: bigint | null,
  limit: number,
): Promise<number> {
  const { db } = context;
  const now = context.clock.now();
  const rows = await db<IntentEventRow[]>`
    with overdue as materialized (
      (select id ${overdueByTime(db, now)} limit ${limit})
      union (select id ${overdueByHeight(db, now, blockHeight)} limit ${limit})
      limit ${limit}
    )
    select ${intentEventColumns(db)} from overdue, transaction_intents i where ${rowById(db, db`i.id`, db`overdue.id`)}`;
  const ends = rows.map(({ id }) => ({ intentId: id, status: 'expired' as const }));
  return endIntents(context, ends, new Map(rows.map((row) => [row.id, { row, traceparent: null }])));
}

// Two conditions, each in the order of its own index. With both in one, or without an order, Postgres may
// read all prepared intents, above all when it planned while the table was new (7 ms per call with 12,000
// intents).

function overdueByTime(sql: Queryable, now: Date): ReturnType<Queryable> {
  return sql`from transaction_intents where status = 'prepared' and expires_at <= ${now} order by expires_at`;
}

function overdueByHeight(sql: Queryable, now: Date, blockHeight: bigint | null): ReturnType<Queryable> {
  return sql`
    from transaction_intents
    where status = 'prepared' and last_valid_block_height < ${blockHeight}::int8
      and ${blockHeight}::int8 - last_valid_block_height <= ${LATE_PREPARATION_BLOCKS}
        + ${CLIMB_PER_SECOND} * greatest(0, extract(epoch from ${now}::timestamptz - created_at))
    order by last_valid_block_height`;
}

function anyOf(sql: Queryable, rows: ReturnType<Queryable>): ReturnType<Queryable> {
  return sql`select true ${rows} limit 1`;
}
