import type { Queryable } from '../../../db/client.ts';
import { holdingOf } from '../../../indexer/market/trader.ts';
import {
  compareDecimals,
  divideDecimals,
  normaliseDecimal,
  signedDifference,
  subtractDecimals,
} from '../../../shared/decimal.ts';
import type { TraderFigures } from './schema.ts';

/** Figures of `token_traders`. */
export interface TraderRow {
  buyCount: number;
  sellCount: number;
  boughtToken: string;
  boughtInSol: string;
  soldToken: string;
  soldInSol: string;
  soldCostInSol: string;
  uncoveredToken: string;
  uncoveredInSol: string;
  firstTradeAt: Date;
  lastTradeAt: Date;
  lastBuyAt: Date | null;
  lastSellAt: Date | null;
}

const ZERO = normaliseDecimal('0');

/** SQL: the columns of a TraderRow, from `token_traders t`. */
export function traderColumns(db: Queryable) {
  return db`
    t.buy_count, t.sell_count, t.bought_token, t.bought_in_sol, t.sold_token, t.sold_in_sol, t.sold_cost_in_sol,
    t.uncovered_token, t.uncovered_in_sol, t.first_trade_at, t.last_trade_at, t.last_buy_at, t.last_sell_at`;
}

export function toFigures(row: TraderRow): TraderFigures {
  const boughtToken = normaliseDecimal(row.boughtToken);
  const boughtInSol = normaliseDecimal(row.boughtInSol);
  const soldToken = normaliseDecimal(row.soldToken);
  const soldInSol = normaliseDecimal(row.soldInSol);
  const soldCostInSol = normaliseDecimal(row.soldCostInSol);
  const uncoveredToken = normaliseDecimal(row.uncoveredToken);
  const uncoveredInSol = normaliseDecimal(row.uncoveredInSol);
  const { held, cost } = holdingOf({ boughtToken, boughtInSol, soldToken, soldCostInSol, uncoveredToken });
  return {
    buyCount: row.buyCount,
    sellCount: row.sellCount,
    boughtInToken: boughtToken,
    boughtInSol,
    soldInToken: soldToken,
    soldInSol,
    heldInToken: held,
    costInSol: cost,
    averageCostInSol: compareDecimals(held, ZERO) === 0 ? null : divideDecimals(cost, held),
    soldCostInSol,
    realisedInSol: signedDifference(subtractDecimals(soldInSol, uncoveredInSol), soldCostInSol),
    uncoveredInToken: uncoveredToken,
    uncoveredInSol,
    firstTradeAt: row.firstTradeAt.toISOString(),
    lastTradeAt: row.lastTradeAt.toISOString(),
    lastBuyAt: row.lastBuyAt?.toISOString() ?? null,
    lastSellAt: row.lastSellAt?.toISOString() ?? null,
  };
}
