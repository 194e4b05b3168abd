import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { participationStatuses, presaleMovementKinds, presaleStatuses } from '../values/presales.ts';
import { decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

export const presales = pgTable(
  'presales',
  {
    id: uuid().primaryKey(),
    /** Order of listing, newest highest. */
    ordinal: bigint({ mode: 'bigint' }).generatedAlwaysAsIdentity().notNull().unique('presales_ordinal'),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    status: text({ enum: presaleStatuses }).notNull(),
    burnBps: integer('burn_bps').notNull(),
    poolBps: integer('pool_bps').notNull(),
    saleBps: integer('sale_bps').notNull(),
    creatorCommitmentLamports: decimal('creator_commitment_lamports').notNull(),
    minCapLamports: decimal('min_cap_lamports').notNull(),
    maxCapLamports: decimal('max_cap_lamports').notNull(),
    perWalletCapLamports: decimal('per_wallet_cap_lamports').notNull(),
    totalDepositedLamports: decimal('total_deposited_lamports').notNull(),
    /** Equals `total_deposited_lamports` once a failed presale has paid everything back. */
    totalRefundedLamports: decimal('total_refunded_lamports').notNull().default('0'),
    participantCount: integer('participant_count').notNull(),
    publicStartAt: instant('public_start_at').notNull(),
    deadline: instant('deadline').notNull(),
    /** When the presale stopped taking new deposits; the grace period for late messages begins here. */
    settlingAt: instant('settling_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('presales_listing').on(table.ordinal.desc().nullsFirst()).where(sql`${table.status} <> 'draft'`),
    index('presales_by_mint').on(table.mintAddress, table.ordinal),
    index('presales_by_status').on(table.status, table.ordinal.desc().nullsFirst()),
    index('presales_starting').on(table.publicStartAt).where(sql`${table.status} = 'initializing'`),
    index('presales_ending').on(table.deadline).where(sql`${table.status} = 'active'`),
    index('presales_full')
      .on(table.id)
      .where(
        sql`${table.status} in ('active', 'settling') and ${table.totalDepositedLamports} = ${table.maxCapLamports}`,
      ),
    index('presales_settling').on(table.settlingAt).where(sql`${table.status} = 'settling'`),
    index('presales_refunded')
      .on(table.id)
      .where(
        sql`${table.status} = 'refunding' and ${table.totalRefundedLamports} = ${table.totalDepositedLamports}`,
      ),
    check('presales_status', isOneOf(table.status, presaleStatuses)),
    check(
      'presales_allocations',
      sql`${table.burnBps} >= 0 and ${table.poolBps} >= 0 and ${table.saleBps} >= 0
        and ${table.burnBps} + ${table.poolBps} + ${table.saleBps} <= 10000`,
    ),
    check(
      'presales_caps',
      sql`0 <= ${table.minCapLamports} and ${table.minCapLamports} <= ${table.maxCapLamports}
        and ${table.maxCapLamports} > 0 and ${table.perWalletCapLamports} > 0 and ${table.creatorCommitmentLamports} >= 0`,
    ),
    check(
      'presales_deposited',
      sql`${table.totalDepositedLamports} between 0 and ${table.maxCapLamports}
        and ${table.totalRefundedLamports} between 0 and ${table.totalDepositedLamports}
        and ${table.participantCount} >= 0`,
    ),
    check(
      'presales_settling',
      sql`(${table.status} in ('draft', 'initializing', 'active')) = (${table.settlingAt} is null)`,
    ),
    check('presales_times', sql`${table.publicStartAt} < ${table.deadline}`),
  ],
);

/** Deposits, refunds and claims of a wallet in a presale (contract/presales#participation). */
export const presaleParticipations = pgTable(
  'presale_participations',
  {
    presaleId: uuid('presale_id')
      .notNull()
      .references(() => presales.id),
    walletAddress: text('wallet_address').notNull(),
    status: text({ enum: participationStatuses }).notNull(),
    depositedLamports: decimal('deposited_lamports').notNull(),
    refundedLamports: decimal('refunded_lamports').notNull(),
    /** The wallet's tokens of the sale; null until the presale is settled. */
    allocationRaw: decimal('allocation_raw'),
    claimedRaw: decimal('claimed_raw').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'presale_participations_pk', columns: [table.presaleId, table.walletAddress] }),
    check('presale_participations_status', isOneOf(table.status, participationStatuses)),
    check(
      'presale_participations_amounts',
      sql`${table.depositedLamports} > 0
        and ${table.refundedLamports} between 0 and ${table.depositedLamports}
        and ${table.claimedRaw} between 0 and coalesce(${table.allocationRaw}, 0)`,
    ),
    check(
      'presale_participations_settled',
      sql`(${table.status} = 'settled') = (${table.allocationRaw} is not null)`,
    ),
  ],
);

/** Every movement of the ingest stream, once: its identity is (signature, instruction index). */
export const presaleMovements = pgTable(
  'presale_movements',
  {
    transactionSignature: text('transaction_signature').notNull(),
    instructionIndex: integer('instruction_index').notNull(),
    presaleId: uuid('presale_id')
      .notNull()
      .references(() => presales.id),
    kind: text({ enum: presaleMovementKinds }).notNull(),
    walletAddress: text('wallet_address').notNull(),
    /** Lamports of deposits and refunds, raw tokens of claims. */
    amount: decimal('amount').notNull(),
    slot: int64('slot').notNull(),
    blockTime: instant('block_time').notNull(),
  },
  (table) => [
    unique('presale_movements_identity').on(table.transactionSignature, table.instructionIndex),
    check('presale_movements_kind', isOneOf(table.kind, presaleMovementKinds)),
    check('presale_movements_amount', sql`${table.amount} > 0`),
  ],
);
