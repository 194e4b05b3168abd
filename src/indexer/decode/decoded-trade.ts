import { quotePerBase, wholeTokenPrice } from '../../chain/pools/spot-price.ts';
import {
  type DecimalString,
  divideDecimals,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
} from '../../shared/decimal.ts';
import type { SwapEvent } from './event-body.ts';

/** Decimals of SOL. */
const SOL_DECIMALS = 9;

/** The amounts and prices of a trade (fixtures' README, `A trade`). */
export interface TradeValues {
  type: 'buy' | 'sell';
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  pricePerTokenInSol: DecimalString;
  spotPriceInSol: DecimalString;
  liquidityInSol: DecimalString | null;
}

/**
 * Exact values of a swap between SOL and a token with `decimals`. Null when no token moved: such a swap has no
 * price and is no trade.
 */
export function tradeValues(event: SwapEvent, decimals: number): TradeValues | null {
  const [solRaw, tokenRaw] =
    event.type === 'buy' ? [event.paidRaw, event.receivedRaw] : [event.receivedRaw, event.paidRaw];
  if (tokenRaw === 0n) return null;
  const solAmount = rawToDecimal(solRaw, SOL_DECIMALS);
  const tokenAmount = rawToDecimal(tokenRaw, decimals);
  return {
    type: event.type,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount, PRICE_FRACTION_DIGITS),
    spotPriceInSol: wholeTokenPrice(quotePerBase(event.nextSqrtPrice), decimals, SOL_DECIMALS),
    liquidityInSol: event.quoteReserveRaw === null ? null : rawToDecimal(event.quoteReserveRaw, SOL_DECIMALS),
  };
}
