import {
  type DecimalString,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
  truncateDecimal,
} from '../../shared/decimal.ts';
import { BASIS_POINTS, divideUp } from './fixed-point.ts';

/** A Q64.64 square root squared is a Q128.128. */
const PRICE_FRACTION_BITS = 128n;

/** An exact price: raw units of one token for a raw unit of the other. */
export interface PriceRatio {
  numerator: bigint;
  denominator: bigint;
}

/** Quote for base (B for A) at a root price; a pool's spot price, exact. */
export function quotePerBase(sqrtPrice: bigint): PriceRatio {
  return { numerator: sqrtPrice * sqrtPrice, denominator: 1n << PRICE_FRACTION_BITS };
}

/** The same price seen from the other token. */
export function inverted({ numerator, denominator }: PriceRatio): PriceRatio {
  return { numerator: denominator, denominator: numerator };
}

/** The price of a whole token, in whole tokens of the other, cut off after 18 fractional digits. */
export function wholeTokenPrice(
  { numerator, denominator }: PriceRatio,
  pricedDecimals: number,
  payingDecimals: number,
): DecimalString {
  // The power of ten goes into the place of the point: 18 digits are kept whatever the decimals.
  const digits = (numerator * 10n ** BigInt(PRICE_FRACTION_DIGITS + pricedDecimals)) / denominator;
  return truncateDecimal(rawToDecimal(digits, PRICE_FRACTION_DIGITS + payingDecimals), PRICE_FRACTION_DIGITS);
}

/**
 * How much less came out than the spot price promised, in basis points, rounded up: 0 when nothing went in. With the
 * amounts without fees it is the price impact alone, with those the trader pays and gets it counts the fees too.
 */
export function shortfallBps(inRaw: bigint, outRaw: bigint, outPerIn: PriceRatio): bigint {
  const promised = inRaw * outPerIn.numerator;
  if (promised === 0n) return 0n;
  const missing = promised - outRaw * outPerIn.denominator;
  return missing <= 0n ? 0n : divideUp(missing * BASIS_POINTS, promised);
}
