import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';

/** A visible token with a pool. */
export interface ClaimToken {
  mintAddress: string;
  name: string;
  symbol: string;
  decimals: number;
  poolAddress: string;
}

/** Mint of a token. Lists of claims are in the order of its bytes. */
export type MintPosition = readonly [mintAddress: string];

interface TokenRow extends Omit<ClaimToken, 'poolAddress'> {
  poolAddress: string | null;
  isShown: boolean;
}

/**
 * Lists tokens of which a wallet may claim something: it is creator, partner or receiver of leftovers, by the
 * newest reading of the pool or the report of the token, or it owns a position. Each source contributes one
 * range of an index. Tokens that are hidden or have no pool are left out of their page.
 *
 * @param owned mints of positions of the wallet
 */
export async function listClaimTokens(
  db: Queryable,
  wallet: string,
  { limit, after: [mint] = [''], owned }: ClaimTokenPage & { owned: readonly string[] },
): Promise<KeysetPage<ClaimToken, MintPosition>> {
  const rowsMax = limit + 1;
  const positions = owned.filter((one) => one > mint).sort();
  return toPage(
    await db<TokenRow[]>`
      select t.mint_address, t.name, t.symbol, t.decimals, t.pool_address, not t.hidden and t.listed as is_shown
      from (
        select mint_address from (
          (select mint_address from tokens where creator_wallet = ${wallet} and mint_address collate "C" > ${mint}
            and not hidden and listed and pool_address is not null
            order by mint_address collate "C" limit ${rowsMax})
          union
          (select mint_address from fee_pools where creator_wallet = ${wallet} and mint_address collate "C" > ${mint}
            order by mint_address collate "C" limit ${rowsMax})
          union
          (select mint_address from fee_pools where partner_wallet = ${wallet} and mint_address collate "C" > ${mint}
            order by mint_address collate "C" limit ${rowsMax})
          union
          (select mint_address from fee_pools where leftover_wallet = ${wallet} and mint_address collate "C" > ${mint}
            order by mint_address collate "C" limit ${rowsMax})
          union
          select unnest(${positions.slice(0, rowsMax)}::text[])) s
        order by mint_address collate "C" limit ${rowsMax}) c
      join tokens t using (mint_address)
      order by t.mint_address collate "C"`,
    limit,
  );
}

export interface ClaimTokenPage {
  limit: number;
  after?: MintPosition | undefined;
}

/** Lists those of these tokens that are visible and have a pool. */
export async function listNamedTokens(
  db: Queryable,
  mints: readonly string[],
  { limit, after: [mint] = [''] }: ClaimTokenPage,
): Promise<KeysetPage<ClaimToken, MintPosition>> {
  return toPage(
    await db<TokenRow[]>`
      select mint_address, name, symbol, decimals, pool_address, not hidden and listed as is_shown
      from tokens where mint_address = any(${mints as string[]}::text[]) and mint_address collate "C" > ${mint}
      order by mint_address collate "C" limit ${limit + 1}`,
    limit,
  );
}

function toPage(rows: readonly TokenRow[], limit: number): KeysetPage<ClaimToken, MintPosition> {
  const { items, next } = keysetPage(
    rows,
    limit,
    (row) => row,
    ({ mintAddress }): MintPosition => [mintAddress],
  );
  return { items: items.flatMap(toToken), next };
}

function toToken({ isShown, poolAddress, ...token }: TokenRow): ClaimToken[] {
  return isShown && poolAddress !== null ? [{ ...token, poolAddress }] : [];
}
