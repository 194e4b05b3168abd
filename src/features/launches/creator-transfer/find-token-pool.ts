import type { Queryable } from '../../../db/client.ts';

/** A visible token, and the pool of its curve; null before it has one. */
export interface TokenPool {
  mintAddress: string;
  poolAddress: string | null;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findTokenPool(db: Queryable, mintAddress: string): Promise<TokenPool | null> {
  const [row] = await db<TokenPool[]>`
    select mint_address, pool_address from visible_tokens where mint_address = ${mintAddress}`;
  return row ?? null;
}
