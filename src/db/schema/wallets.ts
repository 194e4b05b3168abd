import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * Facts from the platform about a wallet, which predictions need (`wallet upsert`,
 * contract/predictions#wallets).
 */
export const wallets = pgTable(
  'wallets',
  {
    address: text().primaryKey(),
    username: text(),
    verified: boolean().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [check('wallets_username', sql`char_length(${table.username}) between 1 and 64`)],
);
