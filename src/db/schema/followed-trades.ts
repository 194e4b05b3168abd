import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, uuid } from 'drizzle-orm/pg-core';
import { int64 } from './columns.ts';

/**
 * One row. Triggers write another stamp with every change of an endpoint that follows trades, while no
 * transaction stores trades (decisions/0077).
 */
export const tradeFollowers = pgTable(
  'trade_followers',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    stamp: uuid().notNull().defaultRandom(),
  },
  (table) => [check('trade_followers_only_row', sql`${table.onlyRow}`)],
);

/** Trades that some endpoint follows, from their storing until their events are recorded. */
export const followedTrades = pgTable('followed_trades', {
  id: int64('id').primaryKey().generatedAlwaysAsIdentity(),
  tradeId: uuid('trade_id').notNull(),
  /** With the id the key of the trade. */
  slot: int64('slot').notNull(),
  /** An endpoint follows its wallet. */
  ofWallet: boolean('of_wallet').notNull(),
  /** An endpoint follows its token. */
  ofToken: boolean('of_token').notNull(),
});
