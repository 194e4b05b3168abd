import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { candleIntervals, tradeTypes } from '../values/trades.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/**
 * One swap. Its identity is (signature, outer instruction index, inner index)
 * (contract/market-data#trade-identity), and the id is derived from it. Partitioned by slot, which drizzle
 * does not know (drizzle/0000_baseline.sql). A unique key would have to contain the slot, so `storeTrades`
 * prevents duplicates under the lock of the token.
 */
export const trades = pgTable(
  'trades',
  {
    id: uuid().notNull(),
    /** Names a known token: a trigger checks that once for each statement (drizzle/functions/refuse_unknown_tokens.sql). */
    mintAddress: text('mint_address').notNull(),
    type: text({ enum: tradeTypes }).notNull(),
    traderWallet: text('trader_wallet').notNull(),
    solAmount: decimal('sol_amount').notNull(),
    tokenAmount: decimal('token_amount').notNull(),
    pricePerTokenInSol: decimal('price_per_token_in_sol').notNull(),
    spotPriceInSol: decimal('spot_price_in_sol'),
    liquidityInSol: decimal('liquidity_in_sol'),
    /** Whether it traded against the bonding curve; null when the source does not report it. */
    onCurve: boolean('on_curve'),
    slot: int64('slot').notNull(),
    transactionIndex: integer('transaction_index').notNull(),
    outerIndex: integer('outer_index').notNull(),
    innerIndex: integer('inner_index').notNull(),
    blockTime: instant('block_time').notNull(),
    transactionSignature: text('transaction_signature').notNull(),
  },
  (table) => [
    primaryKey({ name: 'trades_pk', columns: [table.id, table.slot] }),
    // Nulls first, as in `order by … desc`: otherwise the index does not serve that order.
    index('trades_chain_order').on(
      table.mintAddress,
      table.slot.desc().nullsFirst(),
      table.transactionIndex.desc().nullsFirst(),
      table.outerIndex.desc().nullsFirst(),
      table.innerIndex.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    // A hash keeps four bytes of a signature instead of its 88.
    index('trades_signature').using('hash', table.transactionSignature),
    // The trades of a wallet. A slot has few of one wallet, which are sorted when they are read.
    index('trades_wallet').on(table.traderWallet, table.slot.desc().nullsFirst()),
    check('trades_type', isOneOf(table.type, tradeTypes)),
    check('trades_amounts', sql`${table.solAmount} >= 0 and ${table.tokenAmount} > 0`),
    check('trades_price', sql`${table.pricePerTokenInSol} >= 0`),
    check(
      'trades_position',
      sql`${table.slot} >= 0 and ${table.outerIndex} >= 0 and ${table.innerIndex} >= 0`,
    ),
  ],
);

/**
 * Trades of rolled-back slots, so that a late copy of one does not restore it. The slot is part of the
 * identity here: the same transaction may land again in another slot, and then its trades count.
 */
export const revertedTrades = pgTable(
  'reverted_trades',
  {
    tradeId: uuid('trade_id').notNull(),
    slot: int64('slot').notNull(),
    revertedAt: instant('reverted_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'reverted_trades_pk', columns: [table.tradeId, table.slot] }),
    index('reverted_trades_age').on(table.revertedAt),
  ],
);

/**
 * One row: trades of earlier slots were dropped, except the last one of each token. A late copy of a dropped
 * trade changes nothing, since the trade was counted before.
 */
export const tradeFloor = pgTable(
  'trade_floor',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    slot: int64('slot').notNull(),
  },
  (table) => [check('trade_floor_only_row', sql`${table.onlyRow}`)],
);

/**
 * Price bars folded from `price_per_token_in_sol` in chain order, where it counts (contract/market-data#candle-source).
 * Buckets without trades have no row.
 */
export const candles = pgTable(
  'candles',
  {
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    interval: text({ enum: candleIntervals }).notNull(),
    openTime: instant('open_time').notNull(),
    /** Null in a bucket with no trade whose paid price counts. */
    open: decimal('open'),
    high: decimal('high'),
    low: decimal('low'),
    close: decimal('close'),
    volumeInSol: decimal('volume_in_sol').notNull(),
    volumeInToken: decimal('volume_in_token').notNull(),
    tradeCount: integer('trade_count').notNull(),
    /** Sortable chain positions of the first and the last trade. */
    openPosition: text('open_position').notNull(),
    closePosition: text('close_position').notNull(),
    /**
     * Those of the first and the last trade whose paid price counts, so that late trades can be folded in. Null without
     * such a price.
     */
    paidOpenPosition: text('paid_open_position'),
    paidClosePosition: text('paid_close_position'),
    /** The same bar over the pool's own prices; null while no trade of the bucket has reported one. */
    spotOpen: decimal('spot_open'),
    spotHigh: decimal('spot_high'),
    spotLow: decimal('spot_low'),
    spotClose: decimal('spot_close'),
    spotOpenPosition: text('spot_open_position'),
    spotClosePosition: text('spot_close_position'),
    /** The extremes of the market's prices (contract/market-data#prices); null without any. */
    marketHigh: decimal('market_high'),
    marketLow: decimal('market_low'),
    /** The part of the buys; sells are the rest. */
    buyCount: integer('buy_count').notNull().default(0),
    buyVolumeInSol: decimal('buy_volume_in_sol').notNull().default('0'),
    buyVolumeInToken: decimal('buy_volume_in_token').notNull().default('0'),
  },
  (table) => [
    primaryKey({ name: 'candles_pk', columns: [table.mintAddress, table.interval, table.openTime] }),
    // Which tokens were traded in an hour. Its columns never change, so updates of bars stay HOT.
    index('candles_hours').on(table.openTime, table.mintAddress).where(sql`${table.interval} = '1h'`),
    check('candles_interval', isOneOf(table.interval, candleIntervals)),
    check(
      'candles_range',
      sql`${table.low} <= least(${table.open}, ${table.close}) and ${table.high} >= greatest(${table.open}, ${table.close})`,
    ),
    check('candles_trade_count', sql`${table.tradeCount} > 0`),
  ],
);
