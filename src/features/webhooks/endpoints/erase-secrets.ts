import type { Queryable } from '../../../db/client.ts';

/**
 * Erases up to `limit` secrets that nothing needs: previous ones whose overlap has ended, and what deleted endpoints still have, as the
 * release before leaves it. Returns of how many endpoints.
 */
export async function eraseSecrets(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<{ erased: number }[]>`select erase_webhook_secrets(${limit}::int4) as erased`;
  return row?.erased ?? 0;
}
