import type { Queryable } from '../../db/client.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';
import type { Scope } from '../../shared/scopes.ts';
import type { ApiKeyRecord } from './schema.ts';

/** A key without its secret, with its last use. */
export type KeyRow = Omit<ApiKey, 'secretHash'> & { lastUsedAt: Date | null };

/** SQL: the columns of a KeyRow without its account, from `api_keys k`. */
export function keyColumns(db: Queryable) {
  return db`
    k.id, k.environment, k.name, k.wallet_address, k.scopes, k.created_at, k.expires_at, k.revoked_at,
    (select last_used_at from api_key_uses where key_id = k.id) as last_used_at`;
}

export function toApiKey(row: Omit<KeyRow, 'accountId'>): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    walletAddress: row.walletAddress,
    // Its table admits no others.
    scopes: row.scopes as Scope[],
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
