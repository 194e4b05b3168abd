import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** How far the chain indexer has read each pool: everything up to this signature is in the ingest stream. */
export const indexerCursors = pgTable('indexer_cursors', {
  poolAddress: text('pool_address').primaryKey(),
  lastSignature: text('last_signature').notNull(),
  lastSlot: int64('last_slot').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/**
 * How far the source of a token's trades is proven to be read and applied: every trade with a block time before
 * `through` is stored (contract/market-data#proven-time). A token without a row has no proof.
 */
export const sourceProofs = pgTable('source_proofs', {
  mintAddress: text('mint_address')
    .primaryKey()
    .references(() => tokens.mintAddress),
  through: instant('through').notNull(),
  slot: int64('slot').notNull(),
});

/** Where a holder count comes from (contract/market-data#holder-stats). */
export const holderProvenances = ['live_trade_index', 'trade_replay', 'onchain_snapshot'] as const;

/** The latest holder count of a token with its source (contract/market-data#holder-stats). */
export const holderStats = pgTable(
  'holder_stats',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    holderCount: integer('holder_count').notNull(),
    provenance: text({ enum: holderProvenances }).notNull(),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    check('holder_stats_provenance', isOneOf(table.provenance, holderProvenances)),
    check('holder_stats_count', sql`${table.holderCount} >= 0`),
  ],
);

/** Locked liquidity of migrated pools whose program layout this service cannot read itself (contract/supply#lp-lock). */
export const liquidityLocks = pgTable(
  'liquidity_locks',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    poolAddress: text('pool_address').notNull(),
    positionCount: integer('position_count').notNull(),
    permanentlyLockedBps: integer('permanently_locked_bps').notNull(),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
  },
  (table) => [
    index('liquidity_locks_pool').on(table.poolAddress),
    check('liquidity_locks_positions', sql`${table.positionCount} >= 0`),
    check('liquidity_locks_bps', sql`${table.permanentlyLockedBps} between 0 and 10000`),
  ],
);
