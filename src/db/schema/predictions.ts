import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { predictionStatuses, roundStatuses, voidReasons } from '../values/predictions.ts';
import { accounts } from './accounts.ts';
import { bytea, decimal, instant, int64, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';

/** A round of price predictions on one token. Exact values are public once its lock is stored. */
export const predictionRounds = pgTable(
  'prediction_rounds',
  {
    id: uuid().primaryKey(),
    /** Order of listing, newest highest. */
    ordinal: bigint({ mode: 'bigint' })
      .generatedAlwaysAsIdentity()
      .notNull()
      .unique('prediction_rounds_ordinal'),
    mintAddress: text('mint_address')
      .notNull()
      .references(() => tokens.mintAddress),
    status: text({ enum: roundStatuses }).notNull(),
    minimumBalanceRaw: decimal('minimum_balance_raw').notNull(),
    prizePoolLamports: decimal('prize_pool_lamports').notNull(),
    requiresDelegatedIntent: boolean('requires_delegated_intent').notNull(),
    opensAt: instant('opens_at').notNull(),
    locksAt: instant('locks_at').notNull(),
    settlesAt: instant('settles_at').notNull(),
    lockedAt: instant('locked_at'),
    settledAt: instant('settled_at'),
    settlementPriceInSol: decimal('settlement_price_in_sol'),
    /** Null unless voided, and for rounds that a release without reasons voided. */
    voidReason: text('void_reason', { enum: voidReasons }),
    /** Counted once, by the lock; null before it, when participants are counted from the rows. */
    lockedParticipantCount: integer('locked_participant_count'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('prediction_rounds_listing').on(table.mintAddress, table.ordinal.desc().nullsFirst()),
    index('prediction_rounds_by_status').on(
      table.mintAddress,
      table.status,
      table.ordinal.desc().nullsFirst(),
    ),
    index('prediction_rounds_opening').on(table.opensAt).where(sql`${table.status} = 'scheduled'`),
    index('prediction_rounds_locking').on(table.locksAt).where(sql`${table.status} = 'open'`),
    index('prediction_rounds_settling')
      .on(table.settlesAt)
      .where(sql`${table.status} in ('locked', 'settling')`),
    check('prediction_rounds_status', isOneOf(table.status, roundStatuses)),
    check(
      'prediction_rounds_void_reason',
      sql`${isOneOf(table.voidReason, voidReasons)} and (${table.voidReason} is null or ${table.status} = 'voided')`,
    ),
    check(
      'prediction_rounds_times',
      sql`${table.opensAt} < ${table.locksAt} and ${table.locksAt} <= ${table.settlesAt}`,
    ),
    check(
      'prediction_rounds_amounts',
      sql`${table.minimumBalanceRaw} >= 0 and ${table.prizePoolLamports} >= 0
        and trunc(${table.minimumBalanceRaw}) = ${table.minimumBalanceRaw}
        and trunc(${table.prizePoolLamports}) = ${table.prizePoolLamports}`,
    ),
    check(
      'prediction_rounds_locked',
      sql`(${table.lockedAt} is null) = (${table.lockedParticipantCount} is null) and case ${table.status}
        when 'scheduled' then ${table.lockedAt} is null when 'open' then ${table.lockedAt} is null
        when 'voided' then true else ${table.lockedAt} is not null end`,
    ),
    check(
      'prediction_rounds_settled',
      sql`(${table.status} = 'settled') = (${table.settledAt} is not null)
        and (${table.status} = 'settled') = (${table.settlementPriceInSol} is not null)`,
    ),
  ],
);

/**
 * Predictions, one per wallet and round. A prediction itself never changes: a trigger of the migration
 * refuses it. The settlement or voiding of the round writes status, rank, distance and payout, once.
 */
export const predictions = pgTable(
  'predictions',
  {
    id: uuid().primaryKey(),
    roundId: uuid('round_id')
      .notNull()
      .references(() => predictionRounds.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    walletAddress: text('wallet_address').notNull(),
    /** The name at submission. */
    username: text().notNull(),
    predictedPriceInSol: decimal('predicted_price_in_sol').notNull(),
    status: text({ enum: predictionStatuses }).notNull(),
    evaluationSlot: int64('evaluation_slot').notNull(),
    balanceRaw: decimal('balance_raw').notNull(),
    submittedAt: instant('submitted_at').notNull(),
    rank: integer(),
    distancePpm: decimal('distance_ppm'),
    payoutLamports: decimal('payout_lamports'),
  },
  (table) => [
    unique('predictions_wallet').on(table.roundId, table.walletAddress),
    index('predictions_round').on(table.roundId, table.id),
    // Those of an account, newest first, whatever the filter.
    index('predictions_account').on(table.accountId, table.status, table.id),
    index('predictions_account_round').on(table.accountId, table.roundId),
    index('predictions_standings').on(table.roundId, table.rank).where(sql`${table.rank} is not null`),
    check('predictions_status', isOneOf(table.status, predictionStatuses)),
    check(
      'predictions_price',
      sql`${table.predictedPriceInSol} > 0 and ${table.predictedPriceInSol} < 1000000000000
        and scale(${table.predictedPriceInSol}) <= 18`,
    ),
    check(
      'predictions_settled',
      sql`(${table.status} = 'settled') = (${table.rank} is not null)
        and (${table.rank} is null) = (${table.distancePpm} is null)
        and (${table.rank} is not null or ${table.payoutLamports} is null)`,
    ),
  ],
);

/**
 * A wallet's signed permission for an account to predict for it, in a round that requires one
 * (contract/predictions#delegated-intents). Used once.
 */
export const predictionIntents = pgTable(
  'prediction_intents',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    roundId: uuid('round_id')
      .notNull()
      .references(() => predictionRounds.id),
    walletAddress: text('wallet_address').notNull(),
    /** The authorized prediction; the signed text is composed from these columns. */
    predictedPriceInSol: decimal('predicted_price_in_sol').notNull(),
    signature: bytea().notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The prediction that used it. */
    consumedBy: uuid('consumed_by').references(() => predictions.id),
  },
  (table) => [
    index('prediction_intents_lookup').on(
      table.roundId,
      table.walletAddress,
      table.accountId,
      table.id.desc().nullsFirst(),
    ),
    unique('prediction_intents_consumed').on(table.consumedBy),
    check('prediction_intents_signature', sql`octet_length(${table.signature}) = 64`),
  ],
);
