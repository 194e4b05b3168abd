import { CLIMB_PER_SECOND } from '../../chain/node-trust/climb-limit.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { LATE_PREPARATION_BLOCKS } from './blockhash-window.ts';
import { appendIntentEvents, eventColumns, type IntentContext } from './finish-intents.ts';
import type { IntentEventRow } from './record.ts';

/** SQL: `expireIntents` has one to expire. */
export function isIntentOverdue(db: Database, now: Date, blockHeight: bigint | null): ReturnType<Database> {
  return db`
    coalesce((${anyOf(db, overdueByTime(db, now))}), (${anyOf(db, overdueByHeight(db, now, blockHeight))}), false)`;
}

/**
 * Expires prepared intents whose time is over or whose blockhash window has closed, up to `limit`. Returns how many. A
 * height that the chain cannot have reached since an intent was prepared does not expire it (as `isWindowClosed`).
 * A row that a submission holds at this moment is skipped: whoever commits first wins, and the other finds the
 * intent no longer prepared.
 *
 * @param blockHeight newest believed height; null when no node has responded yet. An old one only expires later.
 */
export async function expireIntents(
  { db, outbox, clock, onEventsAdded, onIntentsEnded }: IntentContext,
  blockHeight: bigint | null,
  limit: number,
): Promise<number> {
  const now = clock.now();
  const expired = await db.begin(async (transaction) => {
    const rows = await transaction<IntentEventRow[]>`
      with overdue as materialized (
        (select id ${overdueByTime(transaction, now)} limit ${limit})
        union (select id ${overdueByHeight(transaction, now, blockHeight)} limit ${limit})
        limit ${limit}
      ), due as materialized (
        select i.id from overdue, lateral (
          select id from transaction_intents
          where id = overdue.id and status is not distinct from 'prepared' for update skip locked
        ) i
      )
      update transaction_intents i set status = 'expired', version = i.version + 1, completed_at = ${now}
      from due where ${rowById(transaction, transaction`i.id`, transaction`due.id`)}
      returning ${eventColumns(transaction)}`;
    await appendIntentEvents(transaction, outbox, 'prepared', rows);
    return rows;
  });
  if (expired.length > 0) onEventsAdded(expired.map(({ id }) => id));
  onIntentsEnded?.(expired);
  return expired.length;
}

// Two conditions, and each in the order of its own index: of both in one, or without an order, Postgres may read all
// that is prepared, also where it planned with a table that was new (7 ms at each look with 12,000 intents).

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
