import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { feeClaimStatuses } from '../values/fees.ts';
import { byteOrder, decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** Pool accounts with the fees of a token, and the progress of reading them. */
export const feePools = pgTable(
  'fee_pools',
  {
    mintAddress: text('mint_address')
      .primaryKey()
      .references(() => tokens.mintAddress),
    /** The pool of the other columns; another pool starts again. */
    poolAddress: text('pool_address').notNull(),
    /** Null until the pool was read. */
    configAddress: text('config_address'),
    /** Wallet that claims the platform's share; a config never changes. */
    partnerWallet: text('partner_wallet'),
    /** Wallet that claims the creator's share, by the newest reading; null until then. It can change. */
    creatorWallet: text('creator_wallet'),
    /** Wallet that gets what is left of a fixed supply after the migration; null until the pool was read. */
    leftoverWallet: text('leftover_wallet'),
    /** AMM pool that the curve migrates to; null for an AMM other than DAMM v2. */
    ammPoolAddress: text('amm_pool_address'),
    readSlot: int64('read_slot'),
    checkedAt: instant('checked_at').notNull(),
    /** The reason why the newest check found nothing. */
    problem: text(),
  },
  (table) => [
    index('fee_pools_creator').on(table.creatorWallet, byteOrder(table.mintAddress)),
    index('fee_pools_partner').on(table.partnerWallet, byteOrder(table.mintAddress)),
    index('fee_pools_leftover').on(table.leftoverWallet, byteOrder(table.mintAddress)),
    index('fee_pools_problem').on(table.mintAddress).where(sql`${table.problem} is not null`),
    check('fee_pools_slot', sql`${table.readSlot} >= 0`),
  ],
);

/** Positions that a migration created for creator and partner; their earnings are fees of the token. */
export const feePositions = pgTable(
  'fee_positions',
  {
    positionAddress: text('position_address').primaryKey(),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    /** Owner at the migration. The position's token can be sold; the position keeps its purpose. */
    ownerWallet: text('owner_wallet').notNull(),
    nftMintAddress: text('nft_mint_address').notNull(),
  },
  (table) => [
    index('fee_positions_mint').on(table.mintAddress),
    index('fee_positions_nft').on(table.nftMintAddress),
  ],
);

/** Claims that paid SOL, from the programs' own events. */
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
