import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { decimal, instant, int64 } from './columns.ts';

/**
 * What a wallet has bought and sold of a token, folded from its trades in chain order (decisions/0076). Written
 * with the token locked: a reference would be checked again for each row.
 */
export const tokenTraders = pgTable(
  'token_traders',
  {
    mintAddress: text('mint_address').notNull(),
    traderWallet: text('trader_wallet').notNull(),
    buyCount: integer('buy_count').notNull(),
    sellCount: integer('sell_count').notNull(),
    boughtToken: decimal('bought_token').notNull(),
    boughtInSol: decimal('bought_in_sol').notNull(),
    soldToken: decimal('sold_token').notNull(),
    soldInSol: decimal('sold_in_sol').notNull(),
    /** Cost of what was sold, by average. */
    soldCostInSol: decimal('sold_cost_in_sol').notNull(),
    /** Sold without having been bought, and what it brought. */
    uncoveredToken: decimal('uncovered_token').notNull(),
    uncoveredInSol: decimal('uncovered_in_sol').notNull(),
    /** sold_in_sol − uncovered_in_sol − sold_cost_in_sol */
    realisedInSol: decimal('realised_in_sol').notNull(),
    firstTradeAt: instant('first_trade_at').notNull(),
    firstSlot: int64('first_slot').notNull(),
    lastTradeAt: instant('last_trade_at').notNull(),
    /** Its hour: what an index has may not change with every trade, or each would renew all entries of the row. */
    lastTradeHour: instant('last_trade_hour')
      .notNull()
      .generatedAlwaysAs(sql`date_bin('1 hour', last_trade_at, '1970-01-01 00:00:00+00')`),
    lastBuyAt: instant('last_buy_at'),
    lastSellAt: instant('last_sell_at'),
    /** Sortable chain position of the last trade. */
    lastPosition: text('last_position').notNull(),
  },
  (table) => [
    primaryKey({ name: 'token_traders_pk', columns: [table.traderWallet, table.mintAddress] }),
    // Whoever bought or sold since a time has traded since then: one index counts buyers and sellers.
    index('token_traders_recent').on(table.mintAddress, table.lastTradeHour),
    // Most rows never get here: a wallet that has only bought has realised nothing.
    index('token_traders_realised')
      .on(table.mintAddress, table.realisedInSol.desc().nullsFirst())
      .where(sql`${table.realisedInSol} > 0`),
    check(
      'token_traders_counts',
      sql`${table.buyCount} >= 0 and ${table.sellCount} >= 0 and ${table.buyCount} + ${table.sellCount} > 0`,
    ),
    check(
      'token_traders_held',
      sql`${table.boughtToken} >= ${table.soldToken} - ${table.uncoveredToken} and ${table.boughtInSol} >= ${table.soldCostInSol}`,
    ),
  ],
);

/**
 * The fold of a pair up to a position, from which it can be computed again: the end of a range of slots that
 * retention drops as a whole, and the progress of a long computation.
 */
export const traderBases = pgTable(
  'trader_bases',
  {
    mintAddress: text('mint_address').notNull(),
    traderWallet: text('trader_wallet').notNull(),
    /** Sortable chain position up to which trades are included. */
    through: text().notNull(),
    /** The columns of `token_traders`; null when there was no trade by then. */
    state: jsonb(),
  },
  (table) => [primaryKey({ name: 'trader_bases_pk', columns: [table.traderWallet, table.mintAddress] })],
);

/** Pairs whose row has to be computed again from their trades. */
export const traderRecounts = pgTable(
  'trader_recounts',
  {
    mintAddress: text('mint_address').notNull(),
    traderWallet: text('trader_wallet').notNull(),
    /** The first slot to read: a base that reaches it no longer counts. The largest int8 if the base has every change. */
    fromSlot: int64('from_slot').notNull(),
  },
  (table) => [primaryKey({ name: 'trader_recounts_pk', columns: [table.mintAddress, table.traderWallet] })],
);
