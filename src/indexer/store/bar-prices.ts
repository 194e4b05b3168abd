import type { Queryable } from '../../db/client.ts';

/** SQL: the positions of the first and the last paid price in the bar `c` of `candles`. Null if it has none. */
export function paidPositions(db: Queryable) {
  return { first: db`c.paid_open_position collate "C"`, last: db`c.paid_close_position collate "C"` };
}

/**
 * SQL: the market prices in the bar `c` of `candles`, and the positions of the first and the last. Null if it
 * has none. Where a trade has both prices, the positions are the same, and the spot price is the market's
 * (contract/market-data#prices).
 */
export function marketPrices(db: Queryable) {
  const { first, last } = paidPositions(db);
  return {
    open: db`case when ${first} < c.spot_open_position then c.open else coalesce(c.spot_open, c.open) end`,
    close: db`case when ${last} > c.spot_close_position then c.close else coalesce(c.spot_close, c.close) end`,
    first: db`least(${first}, c.spot_open_position)`,
    last: db`greatest(${last}, c.spot_close_position)`,
    high: db`c.market_high`,
    low: db`c.market_low`,
  };
}
