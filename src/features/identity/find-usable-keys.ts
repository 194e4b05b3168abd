import type { Queryable } from '../../db/client.ts';

/**
 * Selects the keys that are neither revoked nor expired, in one statement, whatever their number. A standby
 * cannot prove that a key does not exist.
 */
export async function findUsableKeys(
  db: Queryable,
  keyIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select asked.id from unnest(${keyIds as string[]}::text[]) as asked (id) left join api_keys k on k.id = asked.id
    where case when k.id is null then pg_is_in_recovery()
      else k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) end`;
  return new Set(rows.map(({ id }) => id));
}
