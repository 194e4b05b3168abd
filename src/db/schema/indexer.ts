import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
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
 * One row: everything up to this message of the ingest stream is applied here (decisions/0048). With the history of the database it
 * names the consumer that its workers read by: the function `ingest_epoch`.
 */
export const ingestPosition = pgTable(
  'ingest_position',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Replaced where the stream is to be read again though the history of the database is the same. */
    generation: text().notNull(),
    /** When the stream was made: sequences of another one mean nothing. Null before the first position. */
    stream: text(),
    through: int64('through').notNull().default(sql`0`),
    recordedAt: instant('recorded_at'),
  },
  (table) => [check('ingest_position_only_row', sql`${table.onlyRow}`)],
);

/** Programs of pools, as far as they are told apart; `other` ones are never read. */
export const poolPrograms = ['dbc', 'damm_v2', 'damm_v1', 'other'] as const;

/** Why a pool is not read (contract/ingest#unusable-pools). */
export const unusablePoolReasons = [
  'other_program',
  'mint_differs',
  'quote_is_not_sol',
  'stable_pool',
  'unreadable',
] as const;

/**
 * What the chain says of the pools of known tokens: of the registered one, once its account was read, and of the AMM
 * pool that its curve migrated to. A token has several over time.
 */
export const tokenPools = pgTable(
  'token_pools',
  {
    poolAddress: text('pool_address').primaryKey(),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    program: text({ enum: poolPrograms }).notNull(),
    unusableReason: text('unusable_reason', { enum: unusablePoolReasons }),
    /** The curve whose liquidity it took over; null for a pool that no curve made. */
    curvePoolAddress: text('curve_pool_address'),
    configAddress: text('config_address'),
    /** The migration, once it was read. */
    migrationSignature: text('migration_signature'),
    migrationSlot: int64('migration_slot'),
    migrationTransactionIndex: integer('migration_transaction_index'),
    /** Not read before this time: an unusable pool, or a curve that was read past its migration. */
    restsUntil: instant('rests_until'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('token_pools_mint').on(table.mintAddress),
    index('token_pools_curve').on(table.curvePoolAddress),
    check('token_pools_program', isOneOf(table.program, poolPrograms)),
    check('token_pools_reason', isOneOf(table.unusableReason, unusablePoolReasons)),
  ],
);
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
