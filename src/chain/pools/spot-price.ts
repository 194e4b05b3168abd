import {
  type DecimalString,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
  truncateDecimal,
} from '../../shared/decimal.ts';
import { BASIS_POINTS, divideUp } from './fixed-point.ts';

/** The square of a Q64.64 square root is a Q128.128. */
const PRICE_FRACTION_BITS = 128n;

/** An exact price: raw units of one token for one raw unit of the other. */
export interface PriceRatio {
  numerator: bigint;
  denominator: bigint;
}

/** The exact spot price of a pool at a square-root price: quote for base (B for A). */
export function quotePerBase(sqrtPrice: bigint): PriceRatio {
  return { numerator: sqrtPrice * sqrtPrice, denominator: 1n << PRICE_FRACTION_BITS };
}

/** The same price in the other direction. */
export function inverted({ numerator, denominator }: PriceRatio): PriceRatio {
  return { numerator: denominator, denominator: numerator };
}

/** The price of a whole token in whole tokens of the other one, cut off after 18 fractional digits. */
export function wholeTokenPrice(
  { numerator, denominator }: PriceRatio,
  pricedDecimals: number,
  payingDecimals: number,
): DecimalString {
  // The power of ten moves the decimal point, so 18 digits are kept for all decimals.
  const digits = (numerator * 10n ** BigInt(PRICE_FRACTION_DIGITS + pricedDecimals)) / denominator;
  return truncateDecimal(rawToDecimal(digits, PRICE_FRACTION_DIGITS + payingDecimals), PRICE_FRACTION_DIGITS);
}

/**
 * By how much the output is less than the spot price promises, in basis points, rounded up. 0 when nothing
 * went in. With amounts without fees this is the price impact alone. With the amounts that the trader pays
 * and gets, it includes the fees.
 */
export function shortfallBps(inRaw: bigint, outRaw: bigint, outPerIn: PriceRatio): bigint {
  const promised = inRaw * outPerIn.numerator;
  if (promised === 0n) return 0n;
  const missing = promised - outRaw * outPerIn.denominator;
  return missing <= 0n ? 0n : divideUp(missing * BASIS_POINTS, promised);
}
