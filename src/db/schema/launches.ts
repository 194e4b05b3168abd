import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { launchStatuses } from '../values/launches.ts';
import { accounts } from './accounts.ts';
import { decimal, instant, isOneOf } from './columns.ts';
import { tokens } from './tokens.ts';
import { transactionIntents } from './transaction-intents.ts';

/** Tokens launched through the api: the requested terms and the outcome. */
export const launches = pgTable(
  'launches',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    intentId: uuid('intent_id')
      .notNull()
      .unique('launches_intent_id')
      .references(() => transactionIntents.id),
    mintAddress: text('mint_address')
      .notNull()
      .unique('launches_mint_address')
      .references(() => tokens.mintAddress),
    status: text({ enum: launchStatuses }).notNull(),
    creatorWallet: text('creator_wallet').notNull(),
    name: text().notNull(),
    symbol: text().notNull(),
    description: text(),
    imageUrl: text('image_url'),
    telegram: text(),
    twitter: text(),
    website: text(),
    /** Metadata URL of the mint on chain. */
    metadataUrl: text('metadata_url').notNull(),
    configName: text('config_name').notNull(),
    configAddress: text('config_address').notNull(),
    /** Address of the pool once it exists; it follows from config and mint. */
    poolAddress: text('pool_address').notNull(),
    /** The creator's buy in the same transaction: lamports in, base units out. Null if there is none. */
    buyLamports: decimal('buy_lamports'),
    buySlippageBps: integer('buy_slippage_bps'),
    buyOutRaw: decimal('buy_out_raw'),
    buyMinimumOutRaw: decimal('buy_minimum_out_raw'),
    /** Payment in the same transaction to the service that lands it. */
    tipLamports: decimal('tip_lamports').notNull().default('0'),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    index('launches_pending').on(table.createdAt).where(sql`${table.status} = 'pending_launch_init'`),
    index('launches_pending_account').on(table.accountId).where(sql`${table.status} = 'pending_launch_init'`),
    index('launches_account').on(table.accountId, table.status, table.id),
    check('launches_status', isOneOf(table.status, launchStatuses)),
    check(
      'launches_completed',
      sql`(${table.status} = 'pending_launch_init') = (${table.completedAt} is null)`,
    ),
    check(
      'launches_buy',
      sql`num_nulls(${table.buyLamports}, ${table.buySlippageBps}, ${table.buyOutRaw}, ${table.buyMinimumOutRaw}) in (0, 4)`,
    ),
  ],
);
