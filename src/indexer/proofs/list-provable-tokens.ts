import type { Database } from '../../db/client.ts';

/**
 * The tokens of which these pools hold the whole market. A curve proves nothing once its token has migrated: trading goes
 * on in another pool. The status is stored before the migration counts as read, so no proof behind it slips through.
 */
export async function listProvableTokens(db: Database, poolAddresses: readonly string[]): Promise<string[]> {
  const rows = await db<{ mintAddress: string }[]>`
    select mint_address from tokens
    where pool_address = any(${poolAddresses as string[]}) and status <> 'graduated' and graduated_at is null
    order by mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
