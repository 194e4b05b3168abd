import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { launchTypes, tokenStatuses } from '../values/tokens.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** The value of a token that has none: it sorts last, because every list runs from the largest value. */
const UNKNOWN = sql`'-Infinity'`;

/**
 * What lists of tokens are sorted by, one row a token (decisions/0075). A worker computes the rows from candles,
 * markets and trades; nothing else writes them, so the rows that every trade rewrites keep their few indexes.
 */
export const tokenRankings = pgTable(
  'token_rankings',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress, { onDelete: 'cascade' }),
    /** Of `tokens`: decides among equal values. */
    ordinal: int64('ordinal').notNull(),
    /** Of `tokens`; a list checks it there again. */
    status: text({ enum: tokenStatuses }).notNull(),
    launchType: text('launch_type', { enum: launchTypes }).notNull(),
    /** Neither hidden nor waiting for the signature of its launch. */
    listed: boolean().notNull(),
    marketCapInSol: decimal('market_cap_in_sol').notNull().default(UNKNOWN),
    volumeInSol24h: decimal('volume_in_sol_24h').notNull().default('0'),
    tradeCount1h: integer('trade_count_1h').notNull().default(0),
    priceChangePercent1h: decimal('price_change_percent_1h').notNull().default(UNKNOWN),
    /** From 0 to 1. */
    graduationProgress: decimal('graduation_progress').notNull().default(UNKNOWN),
    lastTradeAt: instant('last_trade_at').notNull().default(UNKNOWN),
    /** When a trade leaves a window, so that a value changes without a change of the token. Null for never. */
    dueAt: instant('due_at'),
  },
  (table) => [
    ...[
      ['market_cap', table.marketCapInSol] as const,
      ['volume_24h', table.volumeInSol24h] as const,
      ['trades_1h', table.tradeCount1h] as const,
      ['price_change_1h', table.priceChangePercent1h] as const,
      ['graduation', table.graduationProgress] as const,
      ['last_trade', table.lastTradeAt] as const,
    ].flatMap(([name, key]) => [
      index(`token_rankings_${name}`)
        .on(key.desc().nullsFirst(), table.ordinal.desc().nullsFirst())
        .where(sql`${table.listed}`),
      index(`token_rankings_status_${name}`)
        .on(table.status, key.desc().nullsFirst(), table.ordinal.desc().nullsFirst())
        .where(sql`${table.listed}`),
    ]),
    index('token_rankings_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check('token_rankings_status', isOneOf(table.status, tokenStatuses)),
    check('token_rankings_launch_type', isOneOf(table.launchType, launchTypes)),
  ],
);

/** One row: how far the worker has followed changes of tokens into `token_rankings` and `token_names`. */
export const rankingProgress = pgTable(
  'ranking_progress',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Every entry of the log of streams up to this one has been followed; null before the first. */
    logPosition: int64('log_position'),
    /** All tokens are computed anew, in the order of `ordinal`; this one was the last. Null when that is done. */
    sweptThrough: bigint('swept_through', { mode: 'bigint' }),
    /** When the prominent tokens were last chosen. */
    prominentAt: instant('prominent_at'),
  },
  (table) => [check('ranking_progress_only_row', sql`${table.onlyRow}`)],
);

/** What tokens are found by, in the form of `searchKey`. */
export const tokenNames = pgTable(
  'token_names',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress, { onDelete: 'cascade' }),
    ordinal: int64('ordinal').notNull(),
    symbolKey: text('symbol_key').notNull(),
    nameKey: text('name_key').notNull(),
    /** Symbol and name, for a comparison by parts of words. */
    terms: text().notNull(),
    /**
     * Among the tokens with the largest market caps, or new: only these are found by a similar name, which
     * bounds what a search costs.
     */
    prominent: boolean().notNull().default(false),
  },
  (table) => [
    index('token_names_symbol').on(table.symbolKey.op('text_pattern_ops'), table.ordinal.desc().nullsFirst()),
    index('token_names_name').on(table.nameKey.op('text_pattern_ops'), table.ordinal.desc().nullsFirst()),
    index('token_names_mint').on(table.mintAddress.op('text_pattern_ops')),
    index('token_names_prominent').on(table.mintAddress).where(sql`${table.prominent}`),
    index('token_names_similar').using('gin', table.terms.op('gin_trgm_ops')).where(sql`${table.prominent}`),
  ],
);
