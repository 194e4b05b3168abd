import type { Queryable } from '../../../db/client.ts';
import { marketPrice } from '../../../indexer/market/trade-price.ts';
import { type DecimalString, PRICE_FRACTION_DIGITS } from '../../../shared/decimal.ts';
import { publishedPrice } from '../../../shared/published-value.ts';

/**
 * Finds the published price of the last trade at or before `settlesAt`
 * (contract/predictions#settlement-price): the last in chain order, by block time. Once the source is proven
 * past `settlesAt`, it no longer depends on the time of settling. A trade whose price is rounding has none
 * (contract/market-data#paid-prices). Null when no trade had a price.
 */
export async function findSettlementPrice(
  db: Queryable,
  mintAddress: string,
  settlesAt: Date,
): Promise<DecimalString | null> {
  const [trade] = await db<{ price: string }[]>`
    select ${marketPrice(db, mintAddress)} as price from trades
    where mint_address = ${mintAddress} and block_time <= ${settlesAt}
      and trunc(${marketPrice(db, mintAddress)}, ${PRICE_FRACTION_DIGITS}) > 0
    order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc
    limit 1`;
  return publishedPrice(trade?.price ?? null);
}
