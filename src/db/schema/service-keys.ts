import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { serviceGroups } from '../../shared/service-groups.ts';
import { bytea, instant } from './columns.ts';

/** Keys of the internal API (contract/internal-api#service-keys). Only the SHA-256 of the secret is kept. */
export const serviceKeys = pgTable(
  'service_keys',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    secretHash: bytea('secret_hash').notNull(),
    groups: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    check('service_keys_id', sql`${table.id} ~ '^[0-9A-Za-z]{16}$'`),
    check('service_keys_secret_hash', sql`octet_length(${table.secretHash}) = 32`),
    check(
      'service_keys_groups',
      sql`${table.groups} <@ array[${sql.raw(serviceGroups.map((s) => `'${s}'`).join(', '))}]::text[]`,
    ),
  ],
);

/** A stored service key without its secret, which is stored nowhere. */
export type ServiceKey = typeof serviceKeys.$inferSelect;

/**
 * Stored 2xx responses of the internal API, replayed for 24 h. Separate from those of accounts, which its
 * role cannot read.
 */
export const serviceResponses = pgTable(
  'service_responses',
  {
    serviceKeyId: text('service_key_id')
      .notNull()
      .references(() => serviceKeys.id),
    key: text().notNull(),
    /** SHA-256 over method, path, If-Match and body bytes. */
    fingerprint: bytea().notNull(),
    responseStatus: integer('response_status').notNull(),
    responseHeaders: jsonb('response_headers').$type<Record<string, string>>().notNull(),
    responseBody: bytea('response_body').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'service_responses_pk', columns: [table.serviceKeyId, table.key] }),
    index('service_responses_expiry').on(table.expiresAt),
    check('service_responses_fingerprint', sql`octet_length(${table.fingerprint}) = 32`),
    check('service_responses_status', sql`${table.responseStatus} between 200 and 299`),
  ],
);
