import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { scopes } from '../../shared/scopes.ts';
import { apiEnvironments } from '../values/accounts.ts';
import { bytea, instant, isOneOf } from './columns.ts';

/** Owner of keys, operations, intents, endpoints and predictions (contract/authentication#ownership). */
export const accounts = pgTable('accounts', {
  id: uuid().primaryKey(),
  createdAt: instant('created_at').notNull(),
});

/** API keys (contract/authentication#api-keys). Only the SHA-256 of the secret is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    environment: text({ enum: apiEnvironments }).notNull(),
    name: text().notNull(),
    secretHash: bytea('secret_hash').notNull(),
    walletAddress: text('wallet_address').notNull(),
    scopes: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('api_keys_listing').on(table.accountId, table.createdAt, table.id),
    check('api_keys_environment', isOneOf(table.environment, apiEnvironments)),
    check('api_keys_id', sql`${table.id} ~ '^[0-9A-Za-z]{16}$'`),
    check('api_keys_secret_hash', sql`octet_length(${table.secretHash}) = 32`),
    check(
      'api_keys_scopes',
      sql`${table.scopes} <@ array[${sql.raw(scopes.map((s) => `'${s}'`).join(', '))}]::text[]`,
    ),
  ],
);

/** When a key was last used (contract/authentication#last-use). */
export const apiKeyUses = pgTable('api_key_uses', {
  keyId: text('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  lastUsedAt: instant('last_used_at').notNull(),
});

/** The account that gets the platform fees of a customer's swaps; operators register it (contract/trading#platform-fee). */
export const platformFeeAccounts = pgTable(
  'platform_fee_accounts',
  {
    accountId: uuid('account_id')
      .primaryKey()
      .references(() => accounts.id),
    address: text().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    check('platform_fee_accounts_address', sql`${table.address} ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$'`),
  ],
);

/** A stored API key without its secret, which is stored nowhere. */
export type ApiKey = typeof apiKeys.$inferSelect;
