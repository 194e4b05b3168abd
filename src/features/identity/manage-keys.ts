import type { Database } from '../../db/client.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';

type NewKey = Omit<ApiKey, 'revokedAt'>;

/** Stores a key, and its account when `newAccount`. False when the account does not exist. */
export async function insertKey(database: Database, key: NewKey, newAccount: boolean): Promise<boolean> {
  return database.begin(async (transaction) => {
    const { id, accountId, environment, name, secretHash, walletAddress, scopes, createdAt, expiresAt } = key;
    if (newAccount)
      await transaction`insert into accounts (id, created_at) values (${accountId}, ${createdAt})`;
    const inserted = await transaction`
      insert into api_keys
        (id, account_id, environment, name, secret_hash, wallet_address, scopes, created_at, expires_at)
      select ${id}, accounts.id, ${environment}, ${name}, ${secretHash}, ${walletAddress}, ${scopes}, ${createdAt},
        ${expiresAt}
      from accounts where accounts.id = ${accountId}`;
    return inserted.count === 1;
  });
}

/** Lists the keys of an account, newest first, without their secrets. */
export async function listKeys(database: Database, accountId: string): Promise<Omit<ApiKey, 'secretHash'>[]> {
  const rows = await database<Omit<ApiKey, 'secretHash'>[]>`
    select id, account_id, environment, name, wallet_address, scopes, created_at, expires_at, revoked_at
    from api_keys where account_id = ${accountId} order by created_at desc, id`;
  return [...rows];
}

/** Returns when the key was revoked: now, or before. Null when there is no such key. */
export async function revokeKey(database: Database, keyId: string, now: Date): Promise<Date | null> {
  const [row] = await database<{ revokedAt: Date }[]>`
    update api_keys set revoked_at = coalesce(revoked_at, ${now}) where id = ${keyId} returning revoked_at`;
  return row?.revokedAt ?? null;
}
