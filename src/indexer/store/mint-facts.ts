import type { Transaction } from '../../db/client.ts';
import { type DecimalString, rawToDecimal } from '../../shared/decimal.ts';
import { lockTokens } from './write-locks.ts';

/** The values of a token's mint account at one slot. */
export interface MintFact {
  mintAddress: string;
  decimals: number;
  supplyRaw: bigint;
  slot: bigint;
}

/** The supply in whole tokens. */
export function supplyOf({ supplyRaw, decimals }: MintFact): DecimalString {
  return rawToDecimal(supplyRaw, decimals);
}

/**
 * Stores decimals and supply of mints, and replaces the values of feeds. A fact older than the stored one
 * comes from a node that lags. Returns the mints whose decimals or supply have changed.
 */
export async function storeMintFacts(
  transaction: Transaction,
  facts: readonly MintFact[],
  now: Date,
): Promise<string[]> {
  const mints = facts.map(({ mintAddress }) => mintAddress);
  await lockTokens(transaction, mints);
  const rows = await transaction<{ mintAddress: string; isOther: boolean }[]>`
    with reported as (
      select * from unnest(${mints}::text[], ${facts.map(({ decimals }) => decimals)}::int4[],
        ${facts.map(supplyOf)}::numeric[], ${facts.map(({ slot }) => slot.toString())}::int8[]
      ) as f (mint_address, decimals, total_supply, slot)
    ), before as (
      select t.mint_address, (t.decimals, t.total_supply) <> (f.decimals, f.total_supply) as is_other
      from tokens t join reported f using (mint_address)
      where t.mint_slot is null or t.mint_slot < f.slot
    )
    update tokens t set decimals = f.decimals, total_supply = f.total_supply, mint_slot = f.slot,
      updated_at = case when b.is_other then ${now} else t.updated_at end
    from reported f join before b using (mint_address)
    where t.mint_address = f.mint_address
    returning t.mint_address, b.is_other`;
  return rows.filter(({ isOther }) => isOther).map(({ mintAddress }) => mintAddress);
}
