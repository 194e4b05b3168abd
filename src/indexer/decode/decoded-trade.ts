import {
  type DecimalString,
  divideDecimals,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
  truncateDecimal,
} from '../../shared/decimal.ts';
import type { SwapEvent } from './event-body.ts';

/** Decimals of SOL. */
const SOL_DECIMALS = 9;
/** A Q64.64 square root squared is a Q128.128. */
const PRICE_FRACTION_BITS = 128n;

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
    spotPriceInSol: spotPrice(event.nextSqrtPrice, decimals),
    liquidityInSol: event.quoteReserveRaw === null ? null : rawToDecimal(event.quoteReserveRaw, SOL_DECIMALS),
  };
}

/** sqrtPrice² / 2^128 × 10^(decimals − 9), cut off after 18 fractional digits. */
function spotPrice(sqrtPrice: bigint, decimals: number): DecimalString {
  // The power of ten goes into the place of the point: 18 digits are kept whatever the token's decimals.
  const scale = BigInt(PRICE_FRACTION_DIGITS + decimals);
  const digits = (sqrtPrice * sqrtPrice * 10n ** scale) >> PRICE_FRACTION_BITS;
  return truncateDecimal(rawToDecimal(digits, PRICE_FRACTION_DIGITS + SOL_DECIMALS), PRICE_FRACTION_DIGITS);
}
