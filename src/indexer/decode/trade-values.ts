import { wholeTokenPrice } from '../../chain/pools/spot-price.ts';
import {
  type DecimalString,
  divideDecimals,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
} from '../../shared/decimal.ts';
import type { SwapEvent } from './curve-event-body.ts';

const SOL_DECIMALS = 9;

/** The amounts and prices of a trade (test/fixtures/dbc/README.md). */
export interface TradeValues {
  type: 'buy' | 'sell';
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  pricePerTokenInSol: DecimalString;
  spotPriceInSol: DecimalString | null;
  liquidityInSol: DecimalString | null;
}

/**
 * Exact values of a swap between SOL and a token with `decimals`. Null when no token moved: such a swap has
 * no price and is no trade. A swap that paid no SOL for a token is a trade with an amount and a price of 0.
 */
export function tradeValues(event: SwapEvent, decimals: number): TradeValues | null {
  const [solRaw, tokenRaw] =
    event.type === 'buy' ? [event.paidRaw, event.receivedRaw] : [event.receivedRaw, event.paidRaw];
  if (tokenRaw === 0n) return null;
  const solAmount = toSol(solRaw);
  const tokenAmount = rawToDecimal(tokenRaw, decimals);
  return {
    type: event.type,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount, PRICE_FRACTION_DIGITS),
    spotPriceInSol:
      event.solPerToken === null ? null : wholeTokenPrice(event.solPerToken, decimals, SOL_DECIMALS),
    liquidityInSol: event.solReserveRaw === null ? null : toSol(event.solReserveRaw),
  };
}

export function toSol(raw: bigint): DecimalString {
  return rawToDecimal(raw, SOL_DECIMALS);
}
