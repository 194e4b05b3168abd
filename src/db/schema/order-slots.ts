import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { orderSlotStatuses } from '../values/order-slots.ts';
import { accounts } from './accounts.ts';
import { instant, int64, isOneOf } from './columns.ts';
import { transactionIntents } from './transaction-intents.ts';

/** Nonce accounts of wallets, over which orders are signed. */
export const orderSlots = pgTable(
  'order_slots',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Creates the nonce account. Null for one that existed before. */
    intentId: uuid('intent_id')
      .unique('order_slots_intent_id')
      .references(() => transactionIntents.id),
    /** The newest intent that returns the rent. */
    closingIntentId: uuid('closing_intent_id').references(() => transactionIntents.id),
    nonceAddress: text('nonce_address').notNull(),
    /** Authority of the nonce; pays the rent and gets it back. */
    walletAddress: text('wallet_address').notNull(),
    status: text({ enum: orderSlotStatuses }).notNull(),
    /** The nonce at the slot of the last reading. */
    nonce: text(),
    readSlot: int64('read_slot'),
    /** When a worker looks at the chain next. */
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    index('order_slots_account').on(table.accountId, table.id),
    index('order_slots_due').on(table.dueAt).where(sql`${table.status} in ('pending', 'ready')`),
    uniqueIndex('order_slots_open')
      .on(table.accountId, table.nonceAddress)
      .where(sql`${table.status} in ('pending', 'ready')`),
    check('order_slots_status', isOneOf(table.status, orderSlotStatuses)),
    check(
      'order_slots_completed',
      sql`(${table.status} in ('pending', 'ready')) = (${table.completedAt} is null)`,
    ),
    check('order_slots_read', sql`num_nulls(${table.nonce}, ${table.readSlot}) in (0, 2)`),
    check('order_slots_ready', sql`${table.status} <> 'ready' or ${table.nonce} is not null`),
  ],
);
