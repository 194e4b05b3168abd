import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { feeRoles, feeSources } from '../values/fees.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** Fees of a token as last observed on chain (contract/staking-fees#fee-state). */
export const feeStates = pgTable(
  'fee_states',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    creatorBps: integer('creator_bps').notNull(),
    platformBps: integer('platform_bps').notNull(),
    stakersBps: integer('stakers_bps').notNull(),
    accruedLamports: decimal('accrued_lamports').notNull(),
    /** Amount claimed by the same slot; null for a state from a feed, which knows only accrued fees. */
    distributedLamports: decimal('distributed_lamports'),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
    source: text({ enum: feeSources }).notNull().default('feed'),
  },
  (table) => [
    check('fee_states_source', isOneOf(table.source, feeSources)),
    check('fee_states_distributed', sql`${table.distributedLamports} >= 0`),
    check(
      'fee_states_bps',
      sql`${table.creatorBps} >= 0 and ${table.platformBps} >= 0 and ${table.stakersBps} >= 0
        and ${table.creatorBps} + ${table.platformBps} + ${table.stakersBps} <= 10000`,
    ),
    check('fee_states_accrued', sql`${table.accruedLamports} >= 0 and ${table.slot} >= 0`),
  ],
);

/** A wallet's claimable part of a token's fees, as last observed on chain. */
export const feeClaimables = pgTable(
  'fee_claimables',
  {
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    walletAddress: text('wallet_address').notNull(),
    claimableLamports: decimal('claimable_lamports').notNull(),
    slot: int64('slot').notNull(),
    asOf: instant('as_of').notNull(),
    source: text({ enum: feeSources }).notNull().default('feed'),
  },
  (table) => [
    check('fee_claimables_source', isOneOf(table.source, feeSources)),
    primaryKey({ name: 'fee_claimables_pk', columns: [table.mintAddress, table.walletAddress] }),
    check('fee_claimables_amount', sql`${table.claimableLamports} >= 0 and ${table.slot} >= 0`),
  ],
);

/** One payment of fees. Its identity is (signature, instruction index). */
export const feeDistributions = pgTable(
  'fee_distributions',
  {
    id: uuid().primaryKey(),
    /** Unique part of the listing's key. */
    ordinal: bigint({ mode: 'bigint' })
      .generatedAlwaysAsIdentity()
      .notNull()
      .unique('fee_distributions_ordinal'),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    recipientWallet: text('recipient_wallet').notNull(),
    role: text({ enum: feeRoles }).notNull(),
    amountLamports: decimal('amount_lamports').notNull(),
    transactionSignature: text('transaction_signature').notNull(),
    instructionIndex: integer('instruction_index').notNull(),
    slot: int64('slot').notNull(),
    distributedAt: instant('distributed_at').notNull(),
    source: text({ enum: feeSources }).notNull().default('feed'),
  },
  (table) => [
    check('fee_distributions_source', isOneOf(table.source, feeSources)),
    unique('fee_distributions_identity').on(table.transactionSignature, table.instructionIndex),
    index('fee_distributions_listing').on(
      table.mintAddress,
      table.slot.desc().nullsFirst(),
      table.ordinal.desc().nullsFirst(),
    ),
    // For tokens with a pool, whose feeds add nothing else that counts.
    index('fee_distributions_of_pools')
      .on(table.mintAddress, table.slot.desc().nullsFirst(), table.ordinal.desc().nullsFirst())
      .where(sql`${table.source} = 'chain' or ${table.role} = 'stakers'`),
    check('fee_distributions_role', isOneOf(table.role, feeRoles)),
    check('fee_distributions_amount', sql`${table.amountLamports} > 0 and ${table.slot} >= 0`),
  ],
);

/** Sum of a token's distributions, kept with them in one transaction. */
export const feeTotals = pgTable(
  'fee_totals',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    distributedLamports: decimal('distributed_lamports').notNull(),
  },
  (table) => [check('fee_totals_distributed', sql`${table.distributedLamports} >= 0`)],
);
