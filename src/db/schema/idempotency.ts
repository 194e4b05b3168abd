import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, instant } from './columns.ts';

/**
 * Stored 2xx responses of mutations, replayed for 24 h (contract/idempotency#stored-responses). A failed attempt leaves
 * no row.
 */
export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    key: text().notNull(),
    /** SHA-256 over method, path, If-Match and body bytes. */
    fingerprint: bytea().notNull(),
    responseStatus: integer('response_status').notNull(),
    responseHeaders: jsonb('response_headers').$type<Record<string, string>>().notNull(),
    responseBody: bytea('response_body').notNull(),
    /** The body holds a secret and is sealed with the context `idempotency:<account>:<key>`. */
    sealed: boolean().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'idempotency_records_pk', columns: [table.accountId, table.key] }),
    index('idempotency_records_expiry').on(table.expiresAt),
    check('idempotency_records_fingerprint', sql`octet_length(${table.fingerprint}) = 32`),
    check('idempotency_records_status', sql`${table.responseStatus} between 200 and 299`),
  ],
);
