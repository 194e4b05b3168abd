import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holderProvenances } from '../values/holders.ts';
import { poolPrograms, unusablePoolReasons } from '../values/pools.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** Reading progress of the chain indexer by pool: everything up to this signature is in the ingest stream. */
export const indexerCursors = pgTable('indexer_cursors', {
  poolAddress: text('pool_address').primaryKey(),
  lastSignature: text('last_signature').notNull(),
  lastSlot: int64('last_slot').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/**
 * The newest transaction of each batch that was read and is not final yet. It is noted before the batch is published, because
 * a fork may drop the block before the batch is read again.
 */
export const unfinalBatches = pgTable(
  'unfinal_batches',
  {
    poolAddress: text('pool_address').notNull(),
    signature: text('signature').notNull(),
    slot: int64('slot').notNull(),
    notedAt: instant('noted_at').notNull(),
    /** It is not in the final chain, and its trades were removed at this time. A stopped worker may still publish one. */
    takenBackAt: instant('taken_back_at'),
  },
  (table) => [primaryKey({ columns: [table.poolAddress, table.signature, table.slot] })],
);

/**
 * One row: every message up to this one of the ingest stream is applied here (decisions/0048). Together with
 * the history of the database it names the consumer of its workers: the function `ingest_epoch`.
 */
export const ingestPosition = pgTable(
  'ingest_position',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Replaced to read the stream again although the history of the database is the same. */
    generation: text().notNull(),
    /**
     * Creation time of the stream: sequences of another stream are meaningless. Null before the first
     * position.
     */
    stream: text(),
    through: int64('through').notNull().default(sql`0`),
    recordedAt: instant('recorded_at'),
  },
  (table) => [check('ingest_position_only_row', sql`${table.onlyRow}`)],
);

/**
 * The histories of this database that workers have met: another one after a promotion, a restore, and where ingest
 * found that the database went back. What is older than the present one may have lost changes (decisions/0072).
 */
export const databaseHistories = pgTable('database_histories', {
  history: text().primaryKey(),
  metAt: instant('met_at').notNull(),
});

/**
 * Facts from the chain about the pools of known tokens: the registered pool, once its account was read, and
 * the AMM pool that its curve migrated to. A token has several over time.
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
    /** The curve whose liquidity this pool took over; null for a pool that no curve created. */
    curvePoolAddress: text('curve_pool_address'),
    configAddress: text('config_address'),
    /** Quote reserve at which a curve is complete; null for other pools, and until the config was read. */
    graduationThresholdInSol: decimal('graduation_threshold_in_sol'),
    /** Signature of the migration, once it was read. */
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
    check('token_pools_graduation_threshold', sql`${table.graduationThresholdInSol} > 0`),
  ],
);

/**
 * Time up to which the source of a token's trades is proven to be read and applied: every trade with a block
 * time before `through` is stored (contract/market-data#proven-time). A token without a row has no proof.
 */
export const sourceProofs = pgTable('source_proofs', {
  mintAddress: text('mint_address')
    .primaryKey()
    .references(() => tokens.mintAddress),
  through: instant('through').notNull(),
  slot: int64('slot').notNull(),
});

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

/**
 * One row: the totals of the platform, computed anew every few seconds by one of the workers
 * (contract/market-data#overview). Empty before the first time.
 */
export const marketOverview = pgTable(
  'market_overview',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    asOf: instant('as_of'),
    computedAt: instant('computed_at'),
    /** As the api shows it: `json` keeps the order of its fields. */
    body: json(),
  },
  (table) => [
    check('market_overview_only_row', sql`${table.onlyRow}`),
    check(
      'market_overview_whole',
      sql`(${table.asOf} is null) = (${table.body} is null) and (${table.computedAt} is null) = (${table.body} is null)`,
    ),
  ],
);
