import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { instant } from './columns.ts';

/**
 * Who uploaded which image (contract/images). A row comes before its bytes are in the store. The file that was sent is known by
 * its own hash, so that it is not decoded twice; several files may become one image.
 */
export const images = pgTable(
  'images',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** SHA-256 of the file as it was sent, in hex digits. */
    sourceHash: text('source_hash').notNull(),
    /** SHA-256 of the stored bytes, in hex digits. */
    hash: text().notNull(),
    contentType: text('content_type').notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    byteLength: integer('byte_length').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'images_pk', columns: [table.accountId, table.sourceHash] }),
    index('images_hash').on(table.hash),
    index('images_account_recent').on(table.accountId, table.createdAt),
    check('images_hashes', sql`${table.sourceHash} ~ '^[0-9a-f]{64}$' and ${table.hash} ~ '^[0-9a-f]{64}$'`),
    check('images_sizes', sql`${table.width} > 0 and ${table.height} > 0 and ${table.byteLength} > 0`),
  ],
);
