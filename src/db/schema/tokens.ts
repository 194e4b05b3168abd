import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { curveStages, launchTypes, tokenStatuses } from '../values/tokens.ts';
import { byteOrder, decimal, instant, isOneOf } from './columns.ts';

/** Launched tokens: decisions of the creator and the launch. Results of trading are in `token_markets`. */
export const tokens = pgTable(
  'tokens',
  {
    mintAddress: text('mint_address').primaryKey(),
    /** Order of listing, newest highest: a unique key for pagination. */
    ordinal: bigint({ mode: 'bigint' }).generatedAlwaysAsIdentity().notNull().unique('tokens_ordinal'),
    creatorWallet: text('creator_wallet').notNull(),
    /** Slot at which the pool first named this creator; null while only a feed or a launch has reported one. */
    creatorSlot: bigint('creator_slot', { mode: 'bigint' }),
    name: text().notNull(),
    symbol: text().notNull(),
    description: text(),
    imageUrl: text('image_url'),
    decimals: integer().notNull(),
    totalSupply: decimal('total_supply').notNull(),
    /**
     * Slot at which the mint account showed decimals and supply; null while only a feed has reported them.
     */
    mintSlot: bigint('mint_slot', { mode: 'bigint' }),
    launchType: text('launch_type', { enum: launchTypes }).notNull(),
    status: text({ enum: tokenStatuses }).notNull(),
    launchedAt: instant('launched_at'),
    graduatedAt: instant('graduated_at'),
    /** The curve's stage on the chain; null while the chain shows none. Then the feed decides. */
    curveStage: text('curve_stage', { enum: curveStages }),
    /** Block times; null while unknown. */
    curveCreatedAt: instant('curve_created_at'),
    curveCompletedAt: instant('curve_completed_at'),
    curveMigratedAt: instant('curve_migrated_at'),
    /** Sends events also for times before the token was registered. */
    announceHistory: boolean('announce_history').notNull().default(false),
    /** Launch events that were sent: each is sent once. */
    toldEvents: text('told_events').array().notNull().default([]),
    telegram: text(),
    twitter: text(),
    website: text(),
    poolAddress: text('pool_address').unique('tokens_pool_address'),
    /**
     * Token accounts that hold stakes, and those of the tokenomics' reserve; null while unknown
     * (contract/supply#vaults).
     */
    stakingVaults: text('staking_vaults').array(),
    tokenomicsVaults: text('tokenomics_vaults').array(),
    /** Null while unknown, then fixed (contract/tokens#predictions-enabled); null counts as not enabled. */
    predictionsEnabled: boolean('predictions_enabled'),
    hidden: boolean().notNull().default(false),
    /**
     * False while a launch of the api waits for its wallet, and for ever when it never signs
     * (contract/launches#unsigned).
     */
    listed: boolean().notNull().default(true),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('tokens_listing').on(table.ordinal.desc().nullsFirst()).where(sql`not ${table.hidden}`),
    index('tokens_listed')
      .on(table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden} and ${table.listed}`),
    index('tokens_listed_launch_type')
      .on(table.launchType, table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden} and ${table.listed}`),
    index('tokens_listing_status')
      .on(table.status, table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden}`),
    index('tokens_listing_launch_type')
      .on(table.launchType, table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden}`),
    index('tokens_listing_status_launch_type')
      .on(table.status, table.launchType, table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden}`),
    index('tokens_graduated')
      .on(table.graduatedAt)
      .where(sql`not ${table.hidden} and ${table.graduatedAt} is not null`),
    index('tokens_creator')
      .on(table.creatorWallet, table.ordinal.desc().nullsFirst())
      .where(sql`not ${table.hidden}`),
    index('tokens_creator_pools')
      .on(table.creatorWallet, byteOrder(table.mintAddress))
      .where(sql`not ${table.hidden} and ${table.listed} and ${table.poolAddress} is not null`),
    index('tokens_expired_unsigned')
      .on(table.createdAt)
      .where(sql`not ${table.listed} and ${table.status} = 'expired'`),
    check('tokens_launch_type', isOneOf(table.launchType, launchTypes)),
    check('tokens_status', isOneOf(table.status, tokenStatuses)),
    check('tokens_curve_stage', isOneOf(table.curveStage, curveStages)),
    check('tokens_name', sql`char_length(${table.name}) between 1 and 128`),
    check('tokens_symbol', sql`char_length(${table.symbol}) between 1 and 32`),
    check('tokens_decimals', sql`${table.decimals} between 0 and 18`),
    check('tokens_total_supply', sql`${table.totalSupply} >= 0`),
  ],
);

/** Results of trading: one row per token, rewritten by every trade. */
export const tokenMarkets = pgTable(
  'token_markets',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    /**
     * Spot price after the last trade if the source reports it, else that trade's price
     * (contract/market-data#prices).
     */
    priceInSol: decimal('price_in_sol'),
    /** Null while unknown, as after a migration into an AMM that is not read. */
    liquidityInSol: decimal('liquidity_in_sol'),
    /**
     * Sortable chain position of the last change of the liquidity: a trade, or a transaction that moved
     * liquidity without one.
     */
    liquidityPosition: text('liquidity_position').notNull().default(''),
    /** May be below zero while a buy is late; published as zero then. */
    solCollectedInSol: decimal('sol_collected_in_sol').notNull().default('0'),
    /** Null before the first count. */
    holderCount: integer('holder_count'),
    /** Sortable chain position of the trade that set the price, so that late trades never reset it. */
    lastPosition: text('last_position').notNull().default(''),
    /** Chain position of the curve trade that reported `sol_collected_in_sol`; empty while that is a sum. */
    collectedPosition: text('collected_position').notNull().default(''),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    check('token_markets_price', sql`${table.priceInSol} > 0`),
    check('token_markets_liquidity', sql`${table.liquidityInSol} >= 0`),
    check('token_markets_holder_count', sql`${table.holderCount} >= 0`),
  ],
);
