import type { Queryable } from '../../../db/client.ts';

/** Lists the wallets that are partner of a token's curve, in the order of their bytes. */
export async function listPartnerWallets(db: Queryable): Promise<string[]> {
  const rows = await db<{ partnerWallet: string }[]>`
    select partner_wallet from fee_pools where partner_wallet is not null
    group by partner_wallet order by partner_wallet collate "C"`;
  return rows.map(({ partnerWallet }) => partnerWallet);
}
