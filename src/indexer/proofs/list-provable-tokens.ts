import type { Database } from '../../db/client.ts';

/**
 * The tokens whose whole market these pools hold. A curve proves nothing once its token has migrated: trading goes on in
 * another pool. The migration is stored before it counts as read, so no proof behind it slips through. An AMM pool proves
 * its token when the curve before it rests: then it was read past its migration.
 */
export async function listProvableTokens(db: Database, poolAddresses: readonly string[]): Promise<string[]> {
  const rows = await db<{ mintAddress: string }[]>`
    select t.mint_address from tokens t left join token_pools p on p.pool_address = t.pool_address
    where t.pool_address = any(${poolAddresses as string[]})
      and not exists (select from token_pools a where a.curve_pool_address = t.pool_address)
      and (p.program in ('damm_v2', 'damm_v1') or (t.status <> 'graduated' and t.graduated_at is null))
    union
    select t.mint_address from token_pools a join token_pools c on c.pool_address = a.curve_pool_address
      join tokens t on t.pool_address = c.pool_address and t.mint_address = a.mint_address
    where a.pool_address = any(${poolAddresses as string[]}) and a.program in ('damm_v2', 'damm_v1') and c.rests_until is not null
    order by mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
