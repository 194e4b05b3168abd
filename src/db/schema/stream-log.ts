import { sql } from 'drizzle-orm';
import { boolean, check, pgSequence, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { streamLogKinds } from '../values/stream-log.ts';
import { tradeTypes } from '../values/trades.ts';
import { decimal, instant, int64 } from './columns.ts';

/**
 * Changes in the order in which streams send them (decisions/0033). Triggers write a row in the transaction
 * of every change; `read_stream_page` returns the complete part. No foreign keys: rows are read within minutes
 * and then deleted.
 */
export const streamLog = pgTable('stream_log', {
  id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
  /**
   * One of the kinds, without a check: only triggers write here, and parsing a check costs each of their
   * statements 8 µs.
   */
  kind: text({ enum: streamLogKinds }).notNull(),
  mintAddress: text('mint_address'),
  /** Owner of the changed record; null for a public one. */
  accountId: uuid('account_id'),
  /** Trade, event, operation, delivery, presale, round or order. */
  ref: uuid(),
  /** For a trade: its partition. */
  slot: int64('slot'),
  /** For a trade its block time; for `proven` the time through which the source is proven now. */
  through: instant('through'),
  /** For `proven`: the time through which the source was proven before; null for the first time. */
  since: instant('since'),
  at: instant('at').notNull(),
  /** For a trade, also one that was reverted: what filters of topics look at. */
  traderWallet: text('trader_wallet'),
  side: text({ enum: tradeTypes }),
  solAmount: decimal('sol_amount'),
});

/** The timeline on which the newest ids were given out; `begin_log_timeline` sets it (decisions/0067). */
export const logTimeline = pgSequence('log_timeline', { maxValue: 2_147_483_647 });

/** One row: the end of the deleted part of the log, and the latest proof of a source. */
export const streamProgress = pgTable(
  'stream_progress',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** The largest id that was deleted. */
    deletedThrough: int64('deleted_through').notNull(),
    /** When that row was written; null before the first deletion. */
    deletedAt: instant('deleted_at'),
    /** The latest time through which the source of any token is proven. */
    provenThrough: instant('proven_through'),
  },
  (table) => [check('stream_progress_only_row', sql`${table.onlyRow}`)],
);

/**
 * Accounts that follow their deliveries: only those are logged. The row of an account outlives its stream, so
 * that the client can resume it.
 */
export const streamFollowers = pgTable('stream_followers', {
  accountId: uuid('account_id').primaryKey(),
  until: instant('until').notNull(),
});
