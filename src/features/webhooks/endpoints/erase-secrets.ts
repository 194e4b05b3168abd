import type { Queryable } from '../../../db/client.ts';

/** Erases up to `limit` previous secrets whose overlap has ended. Returns the number of endpoints. */
export async function eraseSecrets(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<{ erased: number }[]>`select erase_webhook_secrets(${limit}::int4) as erased`;
  return row?.erased ?? 0;
}
