import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { type KeyRow, keyColumns, toApiKey } from './record.ts';
import type { ApiKeyRecord } from './schema.ts';

/** Keys are sorted by their creation, to the microsecond as Postgres writes it; their ids are random. */
export type KeyPosition = readonly [createdAt: string, id: string];

const BEFORE_ALL: KeyPosition = ['infinity', ''];

/** Lists the keys of an account, newest first, revoked and expired ones too; with `onlyKeyId` this one alone. */
export async function listOwnKeys(
  db: Queryable,
  accountId: string,
  {
    onlyKeyId,
    limit,
    after = BEFORE_ALL,
  }: { onlyKeyId: string | null; limit: number; after?: KeyPosition | undefined },
): Promise<KeysetPage<ApiKeyRecord, KeyPosition>> {
  const [createdAt, id] = after;
  const rows = await db<(Omit<KeyRow, 'accountId'> & { position: string })[]>`
    select ${keyColumns(db)}, k.created_at::text as position from api_keys k
    where k.account_id = ${accountId} and (k.created_at, k.id) < (${createdAt}::text::timestamptz, ${id})
      ${onlyKeyId === null ? db`` : db`and k.id = ${onlyKeyId}`}
    order by k.created_at desc, k.id desc limit ${limit + 1}`;
  return keysetPage(rows, limit, toApiKey, ({ position, id: keyId }) => [position, keyId]);
}
