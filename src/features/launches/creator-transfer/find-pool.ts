import type { Queryable } from '../../../db/client.ts';

/** A visible token, and the pool of its curve; null before it has one. */
export interface ListedPool {
  mintAddress: string;
  poolAddress: string | null;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findPool(db: Queryable, mintAddress: string): Promise<ListedPool | null> {
  const [row] = await db<ListedPool[]>`
    select mint_address, pool_address from visible_tokens where mint_address = ${mintAddress}`;
  return row ?? null;
}
