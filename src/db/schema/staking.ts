import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { stakingPoolStatuses } from '../values/staking.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** The staking pool of a token as last observed on chain (contract/staking-fees#staking-pool). */
export const stakingPools = pgTable(
  'staking_pools',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    poolAddress: text('pool_address').notNull().unique('staking_pools_address'),
    status: text({ enum: stakingPoolStatuses }).notNull(),
    totalStakedRaw: decimal('total_staked_raw').notNull(),
    stakerCount: integer('staker_count').notNull(),
    rewardRatePerSecondRaw: decimal('reward_rate_per_second_raw').notNull(),
    rewardsDistributedRaw: decimal('rewards_distributed_raw').notNull(),
    lockPeriodSeconds: integer('lock_period_seconds').notNull(),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    check('staking_pools_status', isOneOf(table.status, stakingPoolStatuses)),
    check(
      'staking_pools_amounts',
      sql`${table.totalStakedRaw} >= 0 and ${table.rewardRatePerSecondRaw} >= 0
        and ${table.rewardsDistributedRaw} >= 0`,
    ),
    check(
      'staking_pools_counts',
      sql`${table.stakerCount} >= 0 and ${table.lockPeriodSeconds} >= 0 and ${table.slot} >= 0`,
    ),
  ],
);

/**
 * One stake of a wallet as last observed on chain; a wallet may hold several of one token
 * (contract/staking-fees#position-identity).
 */
export const stakingPositions = pgTable(
  'staking_positions',
  {
    id: uuid().primaryKey(),
    /** Account on chain: the natural key. */
    positionAddress: text('position_address').notNull().unique('staking_positions_address'),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    walletAddress: text('wallet_address').notNull(),
    /**
     * 0 once the whole stake was withdrawn: the row stays, so that an older observation cannot restore the
     * stake.
     */
    stakedRaw: decimal('staked_raw').notNull(),
    pendingRewardsRaw: decimal('pending_rewards_raw').notNull(),
    claimedRewardsRaw: decimal('claimed_rewards_raw').notNull(),
    stakedAt: instant('staked_at').notNull(),
    unlocksAt: instant('unlocks_at'),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    index('staking_positions_wallet').on(table.mintAddress, table.walletAddress, table.id),
    unique('staking_positions_owner').on(table.positionAddress, table.mintAddress, table.walletAddress),
    check(
      'staking_positions_amounts',
      sql`${table.stakedRaw} >= 0 and ${table.pendingRewardsRaw} >= 0 and ${table.claimedRewardsRaw} >= 0
        and ${table.slot} >= 0`,
    ),
  ],
);

/**
 * Stake per wallet, updated with the positions in one transaction; the leaderboard reads it (top 100 by
 * index).
 */
export const stakingTotals = pgTable(
  'staking_totals',
  {
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    walletAddress: text('wallet_address').notNull(),
    stakedRaw: decimal('staked_raw').notNull(),
    /** Start of the oldest stake still held; the earlier one wins a tie in the leaderboard. */
    stakedSince: instant('staked_since').notNull(),
  },
  (table) => [
    unique('staking_totals_wallet').on(table.mintAddress, table.walletAddress),
    index('staking_totals_leaderboard').on(
      table.mintAddress,
      table.stakedRaw.desc().nullsFirst(),
      table.stakedSince,
      table.walletAddress,
    ),
    check('staking_totals_staked', sql`${table.stakedRaw} > 0`),
  ],
);

/**
 * Sum of a token's `staking_totals`, updated with them: the leaderboard needs it and must not add up every
 * staker.
 */
export const stakingSums = pgTable(
  'staking_sums',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    stakedRaw: decimal('staked_raw').notNull(),
    /** Time of the newest observation of a position. */
    asOf: instant('as_of').notNull(),
  },
  (table) => [check('staking_sums_staked', sql`${table.stakedRaw} >= 0`)],
);
