import type { Queryable } from '../../db/client.ts';
import type { tokenStatuses } from '../../db/schema/tokens.ts';

/** What the database knows of a visible token that may be traded. */
export interface ListedToken {
  mintAddress: string;
  status: (typeof tokenStatuses)[number];
  /** Its curve's pool; null: not launched. */
  poolAddress: string | null;
  /** When its record changed last. */
  updatedAt: Date;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findListedToken(db: Queryable, mintAddress: string): Promise<ListedToken | null> {
  const [row] = await db<ListedToken[]>`
    select mint_address, status, pool_address, updated_at from tokens where mint_address = ${mintAddress} and not hidden`;
  return row ?? null;
}
