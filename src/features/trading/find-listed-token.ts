import type { Queryable } from '../../db/client.ts';
import type { tokenStatuses } from '../../db/schema/tokens.ts';

/** The columns of a visible token that decide whether it can be traded. */
export interface ListedToken {
  mintAddress: string;
  status: (typeof tokenStatuses)[number];
  /** The pool of its curve; null when it is not launched. */
  poolAddress: string | null;
  /** When its record last changed. */
  updatedAt: Date;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findListedToken(db: Queryable, mintAddress: string): Promise<ListedToken | null> {
  const [row] = await db<ListedToken[]>`
    select mint_address, status, pool_address, updated_at from tokens where mint_address = ${mintAddress} and not hidden`;
  return row ?? null;
}

/** The visible tokens with these mints, by mint. */
export async function findListedTokens(
  db: Queryable,
  mintAddresses: readonly string[],
): Promise<ReadonlyMap<string, ListedToken>> {
  const rows = await db<ListedToken[]>`
    select mint_address, status, pool_address, updated_at from tokens
    where mint_address = any(${[...mintAddresses]}) and not hidden`;
  return new Map(rows.map((row) => [row.mintAddress, row]));
}
