import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import {
  type OrderRefusal,
  orderStatuses,
  orderTriggerPrices,
  orderTriggerSides,
  orderVenues,
  type StoredSending,
} from '../values/orders.ts';
import { tradeTypes } from '../values/trades.ts';
import {
  type IntentPolicy,
  type IntentQuote,
  priorityLevels,
  sendRoutes,
} from '../values/transaction-intents.ts';
import { accounts } from './accounts.ts';
import { bytea, decimal, instant, int64, isOneOf } from './columns.ts';
import { orderSlots } from './order-slots.ts';
import { transactionIntents } from './transaction-intents.ts';

/** Swaps over a durable nonce that wait for a price. */
export const orders = pgTable(
  'orders',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    slotId: uuid('slot_id')
      .notNull()
      .references(() => orderSlots.id),
    /** Signs, pays and trades. */
    walletAddress: text('wallet_address').notNull(),
    nonceAddress: text('nonce_address').notNull(),
    /** The nonce that every transaction of the order is signed over. */
    nonce: text().notNull(),
    /** Orders of one slot exclude each other, and share this name. */
    ocoGroup: text('oco_group'),
    mintAddress: text('mint_address').notNull(),
    side: text({ enum: tradeTypes }).notNull(),
    amountRaw: decimal('amount_raw').notNull(),
    /** Least output. */
    limitRaw: decimal('limit_raw').notNull(),
    /** Null for an order with a limit of its own. */
    slippageBps: integer('slippage_bps'),
    /** SOL for a whole token. */
    triggerPrice: decimal('trigger_price').notNull(),
    triggerWhen: text('trigger_when', { enum: orderTriggerSides }).notNull(),
    triggerOf: text('trigger_of', { enum: orderTriggerPrices }).notNull(),
    sendRoute: text('send_route', { enum: sendRoutes }).notNull(),
    priorityLevel: text('priority_level', { enum: priorityLevels }),
    tipLamports: int64('tip_lamports').notNull(),
    status: text({ enum: orderStatuses }).notNull(),
    version: integer().notNull(),
    /** Why it ended; null unless it failed, or ended without a landing. */
    reason: text(),
    /** The newest refusal of a simulation. */
    refusal: jsonb().$type<OrderRefusal>(),
    expiresAt: instant('expires_at').notNull(),
    /** When the clock ends it: for an unsigned order the end of the time for signing, else `expires_at`. */
    endsAt: instant('ends_at').notNull(),
    createdAt: instant('created_at').notNull(),
    openedAt: instant('opened_at'),
    /** What triggered it; null again when that trade was reverted before the order was sent. */
    triggeredAt: instant('triggered_at'),
    triggerTradeId: uuid('trigger_trade_id'),
    triggerSlot: int64('trigger_slot'),
    triggerObservedPrice: decimal('trigger_observed_price'),
    /** Simulations that the chain refused. */
    attempts: integer().notNull().default(0),
    /** When a worker tries to send next; moved ahead by the worker that tries. */
    nextAttemptAt: instant('next_attempt_at'),
    /** The intent that sends it: the id of one of its transactions. Set once, and never taken back. */
    intentId: uuid('intent_id').references(() => transactionIntents.id),
    /** The newest intent that makes the signatures worthless. */
    advanceIntentId: uuid('advance_intent_id').references(() => transactionIntents.id),
    completedAt: instant('completed_at'),
  },
  (table) => [
    // Serves every list of an account's orders: status by status, merged.
    index('orders_account').on(table.accountId, table.status, table.id),
    index('orders_account_mint').on(table.accountId, table.mintAddress, table.status, table.id),
    index('orders_trigger_price')
      .on(table.mintAddress, table.triggerOf, table.triggerWhen, table.triggerPrice)
      .where(sql`${table.status} = 'open'`),
    index('orders_trigger_trade')
      .on(table.triggerTradeId)
      .where(sql`${table.status} = 'triggered' and ${table.intentId} is null`),
    index('orders_next_attempt')
      .on(table.nextAttemptAt)
      .where(sql`${table.status} = 'triggered' and ${table.intentId} is null`),
    index('orders_sent')
      .on(table.intentId)
      .where(sql`${table.status} = 'triggered' and ${table.intentId} is not null`),
    index('orders_ends')
      .on(table.endsAt)
      .where(sql`${table.status} in ('unsigned', 'open', 'triggered') and ${table.intentId} is null`),
    index('orders_advance_intent').on(table.advanceIntentId).where(sql`${table.advanceIntentId} is not null`),
    index('orders_slot').on(table.slotId).where(sql`${table.status} in ('unsigned', 'open', 'triggered')`),
    check('orders_status', isOneOf(table.status, orderStatuses)),
    check('orders_version', sql`${table.version} > 0`),
    check('orders_side', isOneOf(table.side, tradeTypes)),
    check('orders_trigger_when', isOneOf(table.triggerWhen, orderTriggerSides)),
    check('orders_trigger_of', isOneOf(table.triggerOf, orderTriggerPrices)),
    check('orders_send_route', isOneOf(table.sendRoute, sendRoutes)),
    check('orders_priority_level', isOneOf(table.priorityLevel, priorityLevels)),
    check(
      'orders_amounts',
      sql`${table.amountRaw} > 0 and ${table.limitRaw} > 0 and ${table.triggerPrice} > 0`,
    ),
    check(
      'orders_completed',
      sql`(${table.status} in ('unsigned', 'open', 'triggered')) = (${table.completedAt} is null)`,
    ),
    check(
      'orders_opened',
      sql`${table.status} not in ('open', 'triggered', 'landed', 'failed') or ${table.openedAt} is not null`,
    ),
    check(
      'orders_trigger',
      sql`num_nulls(${table.triggeredAt}, ${table.triggerTradeId}, ${table.triggerSlot}, ${table.triggerObservedPrice}) in (0, 4)`,
    ),
    check(
      'orders_triggered',
      sql`${table.status} in ('triggered', 'landed', 'failed') = (${table.triggeredAt} is not null) or ${table.status} in ('cancelled', 'expired', 'voided')`,
    ),
    check(
      'orders_next_attempt',
      sql`${table.status} <> 'triggered' or ${table.intentId} is not null or ${table.nextAttemptAt} is not null`,
    ),
    check(
      'orders_reason',
      sql`(${table.status} in ('failed', 'cancelled', 'expired', 'voided')) = (${table.reason} is not null)`,
    ),
  ],
);

/** The transactions of an order, which exclude each other: they share its nonce. */
export const orderTransactions = pgTable(
  'order_transactions',
  {
    /** Becomes the id of the intent that sends it. */
    id: uuid().primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    venue: text({ enum: orderVenues }).notNull(),
    /** Wire bytes as prepared: the wallet's signature is zero. */
    preparedTransaction: bytea('prepared_transaction').notNull(),
    /** Offset of the wallet's 64-byte signature. */
    signatureOffset: integer('signature_offset').notNull(),
    /** SHA-256 of the bytes that the signature covers. */
    messageHash: bytea('message_hash').notNull(),
    /** Policy and quote of the intent that sends it. */
    policy: jsonb().$type<IntentPolicy>().notNull(),
    quote: jsonb().$type<IntentQuote>().notNull(),
    sending: jsonb().$type<StoredSending>().notNull(),
    /** The signed bytes under `SECRET_KEY`; null before the signature, and erased when the order has ended. */
    sealedTransaction: bytea('sealed_transaction'),
    signedAt: instant('signed_at'),
  },
  (table) => [
    unique('order_transactions_venue').on(table.orderId, table.venue),
    unique('order_transactions_message').on(table.messageHash),
    check('order_transactions_venues', isOneOf(table.venue, orderVenues)),
    check('order_transactions_hash', sql`octet_length(${table.messageHash}) = 32`),
    check(
      'order_transactions_signed',
      sql`${table.sealedTransaction} is null or ${table.signedAt} is not null`,
    ),
  ],
);
