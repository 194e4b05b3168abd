import type { Queryable } from '../../db/client.ts';

/** Those of the keys that are neither revoked nor expired, in one statement, whatever their number. */
export async function findUsableKeys(
  db: Queryable,
  keyIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from api_keys
    where id = any(${keyIds as string[]}) and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return new Set(rows.map(({ id }) => id));
}
