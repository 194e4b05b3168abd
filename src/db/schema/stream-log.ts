import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, int64 } from './columns.ts';

/** What a row of the log says has changed; `market` is a token's market, `proven` how far its source is proven. */
export const streamLogKinds = [
  'trade',
  'trade_reverted',
  'token',
  'market',
  'proven',
  'event',
  'intent',
  'operation',
  'delivery',
] as const;

/**
 * What has changed, in the order in which streams tell it (decisions/0033). Written by triggers, in the transaction of
 * the change and whoever makes it; read with `read_stream_log`, which knows what is complete. No foreign keys: rows are
 * read within minutes and then deleted.
 */
export const streamLog = pgTable('stream_log', {
  id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
  /** One of the kinds, without a check: only triggers write here, and parsing a check costs each of their statements 8 µs. */
  kind: text({ enum: streamLogKinds }).notNull(),
  mintAddress: text('mint_address'),
  /** Owner of what changed; null for what is public. */
  accountId: uuid('account_id'),
  /** Trade, event, operation or delivery. */
  ref: uuid(),
  /** Of a trade: its partition. */
  slot: int64('slot'),
  /** Of a trade its block time; of `proven` how far the source is proven now. */
  through: instant('through'),
  /** Of `proven`: how far the source was proven before; null for the first time. */
  since: instant('since'),
  at: instant('at').notNull(),
});

/** One row: how much of the log is gone, and how far the sources are proven. */
export const streamProgress = pgTable(
  'stream_progress',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** The largest id that was deleted. */
    deletedThrough: int64('deleted_through').notNull(),
    /** When that row was written; null while none was deleted. */
    deletedAt: instant('deleted_at'),
    /** The latest time through which the source of any token is proven. */
    provenThrough: instant('proven_through'),
  },
  (table) => [check('stream_progress_only_row', sql`${table.onlyRow}`)],
);

/** Accounts that follow their deliveries: only theirs are logged. A stream keeps its account here beyond its end, for its return. */
export const streamFollowers = pgTable('stream_followers', {
  accountId: uuid('account_id').primaryKey(),
  until: instant('until').notNull(),
});
