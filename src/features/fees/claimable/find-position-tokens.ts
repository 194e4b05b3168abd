import type { Queryable } from '../../../db/client.ts';

/** A position that a migration created, and the AMM pool of its token; null where that is not derivable. */
export interface MigrationPosition {
  mintAddress: string;
  positionAddress: string;
  nftMintAddress: string;
  ammPoolAddress: string | null;
}

/** Finds the positions of migrations among NFTs, by their mints. */
export function findPositionsOfNfts(
  db: Queryable,
  nftMints: readonly string[],
): Promise<MigrationPosition[]> {
  return db<MigrationPosition[]>`
    select p.mint_address, p.position_address, p.nft_mint_address, f.amm_pool_address
    from fee_positions p left join fee_pools f using (mint_address)
    where p.nft_mint_address = any(${nftMints as string[]}::text[])`;
}

/** Finds the positions that migrations of these tokens created. */
export function findPositionsOfTokens(db: Queryable, mints: readonly string[]): Promise<MigrationPosition[]> {
  return db<MigrationPosition[]>`
    select p.mint_address, p.position_address, p.nft_mint_address, f.amm_pool_address
    from fee_positions p left join fee_pools f using (mint_address)
    where p.mint_address = any(${mints as string[]}::text[])`;
}

/** The mints of the tokens that trade in these AMM pools, by the address of the pool. A pool without a token is left out. */
export async function findTokensOfPools(
  db: Queryable,
  pools: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ poolAddress: string; mintAddress: string }[]>`
    select pool_address, mint_address from tokens where pool_address = any(${pools as string[]}::text[])
    union
    select pool_address, mint_address from token_pools where pool_address = any(${pools as string[]}::text[])`;
  return new Map(rows.map(({ poolAddress, mintAddress }) => [poolAddress, mintAddress]));
}
