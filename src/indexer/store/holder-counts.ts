import type { Transaction } from '../../db/client.ts';
import type { holderProvenances } from '../../db/values/holders.ts';

/** A count of the holders of a token (contract/market-data#holder-stats). */
export interface HolderCount {
  mintAddress: string;
  holderCount: number;
  provenance: (typeof holderProvenances)[number];
  slot: string;
  asOf: string;
}

/**
 * Stores counts that are newer than the stored ones, at most one for each token, in both the statistics and
 * the market snapshot. Tokens that were counted on chain keep that count. Returns the mints that changed. The
 * caller has locked the tokens.
 */
export async function storeHolderCounts(
  transaction: Transaction,
  counts: readonly HolderCount[],
): Promise<string[]> {
  const column = <Key extends keyof HolderCount>(key: Key) => counts.map((count) => count[key]);
  const rows = await transaction<{ mintAddress: string }[]>`
    with stored as (
      insert into holder_stats as h (mint_address, holder_count, provenance, slot, as_of)
      select * from unnest(${column('mintAddress')}::text[], ${column('holderCount')}::int4[],
        ${column('provenance')}::text[], ${column('slot')}::int8[], ${column('asOf')}::timestamptz[]) as f (mint_address)
      where not exists (select from holder_counting c
        where c.mint_address = f.mint_address and c.holder_count is not null)
      on conflict (mint_address) do update set holder_count = excluded.holder_count,
        provenance = excluded.provenance, slot = excluded.slot, as_of = excluded.as_of
      where (excluded.slot, excluded.as_of) > (h.slot, h.as_of)
      returning mint_address, holder_count)
    update token_markets m set holder_count = stored.holder_count
    from stored where m.mint_address = stored.mint_address
    returning m.mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}

/**
 * Stores counts from the chain, at most one for each token, and replaces those of a feed. The caller has locked the
 * tokens, and counts only move forward: none is of an older slot than the one before.
 */
export async function storeChainCounts(
  transaction: Transaction,
  counts: readonly HolderCount[],
): Promise<void> {
  const column = <Key extends keyof HolderCount>(key: Key) => counts.map((count) => count[key]);
  await transaction`
    with counts as (
      select * from unnest(${column('mintAddress')}::text[], ${column('holderCount')}::int4[],
        ${column('provenance')}::text[], ${column('slot')}::int8[], ${column('asOf')}::timestamptz[])
        as f (mint_address, holder_count, provenance, slot, as_of)
    ), stored as (
      insert into holder_stats (mint_address, holder_count, provenance, slot, as_of) select * from counts
      on conflict (mint_address) do update set holder_count = excluded.holder_count,
        provenance = excluded.provenance, slot = excluded.slot, as_of = excluded.as_of)
    update token_markets m set holder_count = c.holder_count
    from counts c where m.mint_address = c.mint_address and m.holder_count is distinct from c.holder_count`;
}
