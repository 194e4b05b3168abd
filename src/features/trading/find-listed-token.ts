import type { Queryable } from '../../db/client.ts';
import type { tokenStatuses } from '../../db/values/tokens.ts';

/** The columns of a visible token that decide whether it can be traded. */
export interface ListedToken {
  mintAddress: string;
  status: (typeof tokenStatuses)[number];
  /** The pool of its curve; null while no launch of it has landed. */
  poolAddress: string | null;
  /** When its record last changed, or its launch landed. */
  updatedAt: Date;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findListedToken(db: Queryable, mintAddress: string): Promise<ListedToken | null> {
  return (await findListedTokens(db, [mintAddress])).get(mintAddress) ?? null;
}

/**
 * The visible tokens with these mints, by mint. The pool of a launch is the token's from the moment at which its intent is
 * confirmed: the record follows when a worker has read the pool (contract/trading#new-pools).
 */
export async function findListedTokens(
  db: Queryable,
  mintAddresses: readonly string[],
): Promise<ReadonlyMap<string, ListedToken>> {
  const rows = await db<ListedToken[]>`
    select t.mint_address, t.status, coalesce(t.pool_address, launched.pool_address) as pool_address,
      greatest(t.updated_at, launched.completed_at) as updated_at
    from visible_tokens t left join lateral (
      select l.pool_address, i.completed_at from launches l join transaction_intents i on i.id = l.intent_id
      where l.mint_address = t.mint_address and i.status = 'confirmed'
        and t.pool_address is null and t.status = 'pending_launch_init') launched on true
    where t.mint_address = any(${[...mintAddresses]})`;
  return new Map(rows.map((row) => [row.mintAddress, row]));
}
