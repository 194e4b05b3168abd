import type { Transaction } from '../../db/client.ts';
import { newestBy } from './newest-observation.ts';
import { lockTokens, mintsWithPool } from './write-locks.ts';

/** The amount of a token's fees that a wallet can claim, as observed at one slot. */
export interface ObservedClaimable {
  mintAddress: string;
  walletAddress: string;
  claimableLamports: string;
  slot: string;
  asOf: string;
}

/**
 * Stores claimable amounts that are newer than the stored ones, except for tokens with a pool. Returns the
 * unknown mints, whose amounts are not stored.
 */
export async function storeFeeClaimables(
  transaction: Transaction,
  claimables: readonly ObservedClaimable[],
): Promise<ReadonlySet<string>> {
  const mints = [...new Set(claimables.map(({ mintAddress }) => mintAddress))];
  const tokens = await lockTokens(transaction, mints);
  const withPool = await mintsWithPool(transaction, mints);
  const known = claimables.filter(({ mintAddress }) => tokens.has(mintAddress) && !withPool.has(mintAddress));
  const newest = newestBy(known, ({ mintAddress, walletAddress }) => `${mintAddress} ${walletAddress}`);
  const column = <Key extends keyof ObservedClaimable>(key: Key) => newest.map((claimable) => claimable[key]);
  await transaction`
    insert into fee_claimables as c (mint_address, wallet_address, claimable_lamports, slot, as_of)
    select * from unnest(${column('mintAddress')}::text[], ${column('walletAddress')}::text[],
      ${column('claimableLamports')}::numeric[], ${column('slot')}::int8[], ${column('asOf')}::timestamptz[])
    on conflict (mint_address, wallet_address) do update set claimable_lamports = excluded.claimable_lamports,
      slot = excluded.slot, as_of = excluded.as_of
    where (excluded.slot, excluded.as_of) > (c.slot, c.as_of)`;
  return new Set(mints.filter((mint) => !tokens.has(mint)));
}
