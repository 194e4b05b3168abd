import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { type KeyRow, keyColumns } from './record.ts';

export interface RevocationDependencies {
  outbox: Outbox;
  clock: Clock;
}

/**
 * Revokes a key of an account for ever, with its `api_key.revoked`; a key that is revoked stays as it is. Null when the
 * account has no such key.
 * @param by the key that revokes; null for an operator
 */
export async function revokeKey(
  transaction: Transaction,
  { keyId, accountId, by }: { keyId: string; accountId: string; by: string | null },
  { outbox, clock }: RevocationDependencies,
): Promise<Omit<KeyRow, 'accountId'> | null> {
  const [revoked] = await transaction<{ isNew: boolean; revokedSince: Date }[]>`
    select revoked_since, is_new from revoke_api_key(${keyId}, ${accountId}::uuid, ${clock.now()}::timestamptz)`;
  if (revoked === undefined) return null;
  const [row] = await transaction<Omit<KeyRow, 'accountId'>[]>`
    select ${keyColumns(transaction)} from api_keys k
    where k.id = ${keyId} and k.account_id = ${accountId}`;
  if (row === undefined) throw new Error('a revoked key has disappeared');
  if (revoked.isNew)
    await outbox.append(transaction, {
      name: 'api_key.revoked',
      subject: keyId,
      accountId,
      data: {
        keyId,
        name: row.name,
        revokedAt: revoked.revokedSince.toISOString(),
        revokedByKeyId: by,
      },
    });
  return row;
}

/** The account of a key; null when there is no such key. */
export async function findKeyAccount(transaction: Transaction, keyId: string): Promise<string | null> {
  const [row] = await transaction<{ accountId: string }[]>`
    select account_id from api_keys where id = ${keyId}`;
  return row?.accountId ?? null;
}
