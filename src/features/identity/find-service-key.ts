import type { Reader } from '../../db/look-ups.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';
import type { ServiceKey } from '../../db/schema/service-keys.ts';
import { type FoundKey, foundKey } from './find-key.ts';

/** Finds a service key in the form that the pipeline needs: it has no account and no wallet (`Principal`). */
export async function findServiceKey(
  db: Reader,
  keyId: string,
  environment: ApiKey['environment'],
): Promise<ApiKey | null> {
  const [found] = await db<FoundKey<ServiceKey>[]>`
    select pg_is_in_recovery() as is_standby, k.id, name, secret_hash, groups, created_at, expires_at, revoked_at
    from (select ${keyId} as id) as asked left join service_keys k on k.id = asked.id`;
  const row = foundKey(found);
  if (row === null) return null;
  const { groups, ...key } = row;
  return { ...key, accountId: row.id, walletAddress: '', environment, scopes: groups };
}
