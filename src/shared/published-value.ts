import {
  compareDecimals,
  type DecimalString,
  multiplyDecimals,
  normaliseDecimal,
  PRICE_FRACTION_DIGITS,
  truncateDecimal,
} from './decimal.ts';

const ZERO = normaliseDecimal('0');

/**
 * The published form of a stored price: 18 fractional digits, and null rather than a price of zero
 * (contract/market-data#prices).
 */
export function publishedPrice(numericText: string | null): DecimalString | null {
  if (numericText === null) return null;
  const price = truncateDecimal(normaliseDecimal(numericText), PRICE_FRACTION_DIGITS);
  return compareDecimals(price, ZERO) === 0 ? null : price;
}

/**
 * The exact product with the published price, so that clients can check every digit
 * (contract/market-data#market-cap).
 */
export function marketCapInSol(
  price: DecimalString | null,
  totalSupply: DecimalString,
): DecimalString | null {
  return price === null ? null : multiplyDecimals(price, totalSupply);
}

/** A sum of trades that arrived out of order may be below zero for a moment; it is published as zero. */
export function publishedSum(numericText: string | null): DecimalString {
  return numericText === null || numericText.startsWith('-') ? ZERO : normaliseDecimal(numericText);
}
