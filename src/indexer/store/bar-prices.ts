import type { Queryable } from '../../db/client.ts';

/**
 * SQL: the positions of the first and the last paid price in the bar `c` of `candles`. Null if it has none. In a bar that
 * the release before wrote, they are the positions of its trades.
 */
export function paidPositions(db: Queryable) {
  return {
    first: db`coalesce(c.paid_open_position, case when c.open is not null then c.open_position end) collate "C"`,
    last: db`coalesce(c.paid_close_position, case when c.close is not null then c.close_position end) collate "C"`,
  };
}

/**
 * SQL: the market prices in the bar `c` of `candles`, and the positions of the first and the last. Null if it has none. Where
 * a trade has both prices, the positions are the same, and the spot price is the market's (contract/market-data#prices).
 */
export function marketPrices(db: Queryable) {
  const { first, last } = paidPositions(db);
  return {
    open: db`case when ${first} < c.spot_open_position then c.open else coalesce(c.spot_open, c.open) end`,
    close: db`case when ${last} > c.spot_close_position then c.close else coalesce(c.spot_close, c.close) end`,
    first: db`least(${first}, c.spot_open_position)`,
    last: db`greatest(${last}, c.spot_close_position)`,
    high: db`coalesce(c.market_high, c.spot_high, c.high)`,
    low: db`coalesce(c.market_low, c.spot_low, c.low)`,
  };
}
