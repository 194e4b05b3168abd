import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** Where the fees of a token with a pool lie, and how far they were read. */
export const feePools = pgTable(
  'fee_pools',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    /** The pool that the rest was read from; another one starts again. */
    poolAddress: text('pool_address').notNull(),
    /** Null until the pool was read. */
    configAddress: text('config_address'),
    /** Who claims the platform's share; a config never changes. */
    partnerWallet: text('partner_wallet'),
    /** Where the curve migrates to; null for an AMM other than DAMM v2. */
    ammPoolAddress: text('amm_pool_address'),
    readSlot: int64('read_slot'),
    checkedAt: instant('checked_at').notNull(),
    /** Why the newest check told nothing. */
    problem: text(),
  },
  (table) => [
    index('fee_pools_problem').on(table.mintAddress).where(sql`${table.problem} is not null`),
    check('fee_pools_slot', sql`${table.readSlot} >= 0`),
  ],
);

/** Positions that a migration made for creator and partner: what they earn are fees of the token. */
export const feePositions = pgTable(
  'fee_positions',
  {
    positionAddress: text('position_address').primaryKey(),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    /** At the migration: its token can be sold, what it is for stays. */
    ownerWallet: text('owner_wallet').notNull(),
    nftMintAddress: text('nft_mint_address').notNull(),
  },
  (table) => [index('fee_positions_mint').on(table.mintAddress)],
);

/** `pending` until it is known whose share it is; `other` is no share of the token's. */
export const feeClaimStatuses = ['pending', 'distributed', 'other'] as const;

/** Claims that paid SOL, as the programs' own events tell them. */
export const feeClaims = pgTable(
  'fee_claims',
  {
    transactionSignature: text('transaction_signature').notNull(),
    outerIndex: integer('outer_index').notNull(),
    innerIndex: integer('inner_index').notNull(),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    poolAddress: text('pool_address').notNull(),
    kind: text().notNull(),
    claimantWallet: text('claimant_wallet').notNull(),
    positionAddress: text('position_address'),
    recipientWallet: text('recipient_wallet').notNull(),
    amountLamports: decimal('amount_lamports').notNull(),
    slot: int64('slot').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    status: text({ enum: feeClaimStatuses }).notNull().default('pending'),
  },
  (table) => [
    primaryKey({
      name: 'fee_claims_pk',
      columns: [table.transactionSignature, table.outerIndex, table.innerIndex],
    }),
    index('fee_claims_mint').on(table.mintAddress),
    index('fee_claims_pending').on(table.mintAddress).where(sql`${table.status} = 'pending'`),
    check('fee_claims_status', isOneOf(table.status, feeClaimStatuses)),
    check('fee_claims_amount', sql`${table.amountLamports} > 0 and ${table.slot} >= 0`),
  ],
);
