import type { Transaction } from '../../db/client.ts';

/** The creator that the account of a token's pool names at one slot. */
export interface TokenCreator {
  mintAddress: string;
  poolAddress: string;
  creatorWallet: string;
  slot: bigint;
}

/**
 * Stores creators of pools, and replaces those of feeds and launches. A reading older than the stored one comes
 * from a node that lags. The caller holds the locks of these tokens. Returns the mints with a new creator.
 */
export async function storeTokenCreators(
  transaction: Transaction,
  creators: readonly TokenCreator[],
  now: Date,
): Promise<string[]> {
  const column = <Key extends keyof TokenCreator>(key: Key) => creators.map((one) => one[key]);
  const rows = await transaction<{ mintAddress: string; isOther: boolean }[]>`
    with before as (
      select t.mint_address, c.creator_wallet, c.slot, t.creator_wallet <> c.creator_wallet as is_other
      from unnest(${column('mintAddress')}::text[], ${column('poolAddress')}::text[],
        ${column('creatorWallet')}::text[], ${column('slot').map(String)}::int8[])
        as c (mint_address, pool_address, creator_wallet, slot)
      join tokens t using (mint_address, pool_address)
      where t.creator_slot is null or (t.creator_slot <= c.slot and t.creator_wallet <> c.creator_wallet)
    )
    update tokens t set creator_wallet = b.creator_wallet, creator_slot = b.slot,
      updated_at = case when b.is_other then ${now} else t.updated_at end
    from before b where t.mint_address = b.mint_address
    returning t.mint_address, b.is_other`;
  return rows.filter(({ isOther }) => isOther).map(({ mintAddress }) => mintAddress);
}
