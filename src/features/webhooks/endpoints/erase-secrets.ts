import type { Queryable } from '../../../db/client.ts';

/**
 * Erases up to `limit` secrets that nothing needs: previous secrets whose overlap has ended, and secrets that
 * the release before left with deleted endpoints. Returns the number of endpoints.
 */
export async function eraseSecrets(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<{ erased: number }[]>`select erase_webhook_secrets(${limit}::int4) as erased`;
  return row?.erased ?? 0;
}
