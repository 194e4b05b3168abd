import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';

/** The creator that the account of a token's pool names at one slot. */
export interface TokenCreator {
  mintAddress: string;
  poolAddress: string;
  creatorWallet: string;
  slot: bigint;
}

interface StoredCreator extends TokenCreator {
  previousCreatorWallet: string;
  /** Whether the wallet before was another one. */
  isOther: boolean;
  /** Whether it is announced: the wallet before was read from the chain, and others may see the token. */
  isNews: boolean;
}

/**
 * Stores creators of pools, and replaces those of feeds and launches. A reading older than the stored one comes
 * from a node that lags. The caller holds the locks of these tokens. A creator that replaces another one of the
 * chain is announced in the same transaction (contract/tokens#creator-event). Returns the mints with a new creator.
 */
export async function storeTokenCreators(
  transaction: Transaction,
  outbox: Outbox,
  creators: readonly TokenCreator[],
  now: Date,
): Promise<string[]> {
  const column = <Key extends keyof TokenCreator>(key: Key) => creators.map((one) => one[key]);
  const rows = await transaction<StoredCreator[]>`
    with before as (
      select t.mint_address, c.pool_address, c.creator_wallet, c.slot, t.creator_wallet as previous_creator_wallet,
        t.creator_wallet <> c.creator_wallet as is_other,
        t.creator_slot is not null and t.creator_wallet <> c.creator_wallet and not t.hidden and t.listed as is_news
      from unnest(${column('mintAddress')}::text[], ${column('poolAddress')}::text[],
        ${column('creatorWallet')}::text[], ${column('slot').map(String)}::int8[])
        as c (mint_address, pool_address, creator_wallet, slot)
      join tokens t using (mint_address, pool_address)
      where t.creator_slot is null or (t.creator_slot <= c.slot and t.creator_wallet <> c.creator_wallet)
    )
    update tokens t set creator_wallet = b.creator_wallet, creator_slot = b.slot,
      updated_at = case when b.is_other then ${now} else t.updated_at end
    from before b where t.mint_address = b.mint_address
    returning b.mint_address, b.pool_address, b.creator_wallet, b.slot, b.previous_creator_wallet, b.is_other, b.is_news`;
  for (const row of rows) {
    if (!row.isNews) continue;
    const { mintAddress, poolAddress, creatorWallet, previousCreatorWallet } = row;
    const data = { mintAddress, poolAddress, creatorWallet, previousCreatorWallet, slot: String(row.slot) };
    const event = { name: 'token.creator_changed', subject: mintAddress, accountId: null, data } as const;
    await outbox.append(transaction, event);
  }
  return rows.filter(({ isOther }) => isOther).map(({ mintAddress }) => mintAddress);
}
