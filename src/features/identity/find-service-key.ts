import type { Queryable } from '../../db/client.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';
import type { ServiceKey } from '../../db/schema/service-keys.ts';

/** What the pipeline asks of any key: a service key acts for no account and no wallet (`Principal`). */
export async function findServiceKey(
  db: Queryable,
  keyId: string,
  environment: ApiKey['environment'],
): Promise<ApiKey | null> {
  const [row] = await db<ServiceKey[]>`
    select id, name, secret_hash, groups, created_at, expires_at, revoked_at from service_keys where id = ${keyId}`;
  if (row === undefined) return null;
  const { groups, ...key } = row;
  return { ...key, accountId: row.id, walletAddress: '', environment, scopes: groups };
}
