import type { Queryable } from '../../db/client.ts';
import { type DecimalString, normaliseDecimal, PRICE_FRACTION_DIGITS } from '../../shared/decimal.ts';

export interface HeldToken {
  mintAddress: string;
  name: string;
  symbol: string;
  imageUrl: string | null;
  decimals: number;
  amountRaw: string;
  /** The published price: 18 fractional digits, null when unknown (contract/market-data#prices). */
  priceInSol: DecimalString | null;
}

type Row = Omit<HeldToken, 'priceInSol'> & { priceInSol: string | null };

/**
 * Selects the visible tokens in `balances` (raw amount by mint), most valuable first, then those without a
 * price, equal values by mint; at most `limit`. Only the result leaves the database, so a wallet full of
 * foreign tokens costs one statement and no memory.
 */
export async function findHeldTokens(
  db: Queryable,
  balances: ReadonlyMap<string, bigint>,
  limit: number,
): Promise<HeldToken[]> {
  const mints = [...balances.keys()];
  const amounts = [...balances.values()].map(String);
  // Values are compared as amount × price × 10^(18 − decimals): exact, where a division would round.
  const rows = await db<Row[]>`
    select t.mint_address, t.name, t.symbol, t.image_url, t.decimals, h.amount_raw::text as amount_raw,
      p.price_in_sol
    from unnest(${mints}::text[], ${amounts}::numeric[]) as h(mint_address, amount_raw)
    join visible_tokens t using (mint_address)
    left join token_markets m using (mint_address)
    cross join lateral (
      select nullif(trunc(m.price_in_sol, ${PRICE_FRACTION_DIGITS}::int4), 0) as price_in_sol
    ) p
    order by h.amount_raw * p.price_in_sol * ('1e' || (18 - t.decimals))::numeric desc nulls last,
      t.mint_address collate "C"
    limit ${limit}`;
  return rows.map((row) => ({
    ...row,
    priceInSol: row.priceInSol === null ? null : normaliseDecimal(row.priceInSol),
  }));
}
