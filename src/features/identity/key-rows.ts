import type { Database } from '../../db/client.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';
import { type KeyRow, keyColumns } from './record.ts';

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
export async function listKeys(database: Database, accountId: string): Promise<KeyRow[]> {
  const rows = await database<KeyRow[]>`
    select account_id, ${keyColumns(database)} from api_keys k
    where account_id = ${accountId} order by created_at desc, id`;
  return [...rows];
}
