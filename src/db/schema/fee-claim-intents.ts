import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PreparedClaim } from '../values/fees.ts';
import { accounts } from './accounts.ts';
import { instant } from './columns.ts';
import { transactionIntents } from './transaction-intents.ts';

/** Intents that claim fees (contract/fee-claims#intents). */
export const feeClaimIntents = pgTable(
  'fee_claim_intents',
  {
    intentId: uuid('intent_id')
      .primaryKey()
      .references(() => transactionIntents.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    walletAddress: text('wallet_address').notNull(),
    claims: jsonb().$type<PreparedClaim[]>().notNull(),
    /** Claims that were to pay SOL: as many payments are expected in the transaction. */
    inSol: integer('in_sol').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The transaction that landed, by which distributions name their intent. */
    transactionSignature: text('transaction_signature'),
    /** When `fees.claimed` was appended, or the intent ended without a landing. */
    settledAt: instant('settled_at'),
  },
  (table) => [
    index('fee_claim_intents_pending').on(table.intentId).where(sql`${table.settledAt} is null`),
    uniqueIndex('fee_claim_intents_signature')
      .on(table.transactionSignature)
      .where(sql`${table.transactionSignature} is not null`),
    check('fee_claim_intents_in_sol', sql`${table.inSol} >= 0`),
  ],
);
