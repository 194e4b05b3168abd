import type { Transaction } from '../../db/client.ts';
import { searchKey } from './search-key.ts';

/**
 * Tokens with the largest market caps that are found by a similar name (contract/tokens#search). It bounds what a
 * search costs; twice as many take twice as long.
 */
export const PROMINENT_TOKENS = 10_000;

interface NamedToken {
  mintAddress: string;
  ordinal: bigint;
  symbol: string;
  name: string;
}

/** Stores what these tokens are found by. New ones are prominent until the next choice if `prominent` says so. */
export async function storeNames(
  transaction: Transaction,
  mints: readonly string[],
  prominent: boolean,
): Promise<void> {
  const tokens = await transaction<NamedToken[]>`
    select mint_address, ordinal, symbol, name from tokens where mint_address = any(${mints as string[]})`;
  const keys = tokens.map(({ symbol, name }) => [searchKey(symbol), searchKey(name)] as const);
  await transaction`
    insert into token_names as n (mint_address, ordinal, symbol_key, name_key, terms, prominent)
    select mint_address, ordinal, symbol_key, name_key, symbol_key || ' ' || name_key, ${prominent}
    from unnest(
      ${tokens.map(({ mintAddress }) => mintAddress)}::text[], ${tokens.map(({ ordinal }) => String(ordinal))}::int8[],
      ${keys.map(([symbol]) => symbol)}::text[], ${keys.map(([, name]) => name)}::text[]
    ) as t (mint_address, ordinal, symbol_key, name_key)
    on conflict (mint_address) do update set
      symbol_key = excluded.symbol_key, name_key = excluded.name_key, terms = excluded.terms
    where (n.symbol_key, n.name_key) is distinct from (excluded.symbol_key, excluded.name_key)`;
}

/** Chooses the prominent tokens anew. */
export async function chooseProminent(transaction: Transaction): Promise<void> {
  const largest = transaction`
    select mint_address from token_rankings where listed
    order by market_cap_in_sol desc, ordinal desc limit ${PROMINENT_TOKENS}`;
  await transaction`
    with largest as materialized (${largest}), added as (
      update token_names n set prominent = true from largest l
      where n.mint_address = l.mint_address and not n.prominent)
    update token_names n set prominent = false
    where n.prominent and not exists (select from largest l where l.mint_address = n.mint_address)`;
}
