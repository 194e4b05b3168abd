import { divideUp } from './fixed-point.ts';
import { SwapRefusal } from './swap-refusal.ts';

/*
 * Amounts and prices on a stretch of constant liquidity L. Prices are square roots of quote per base (B per A) in
 * Q64.64, L is in the program's unit (amount × 2^64): base = L × (1/lo − 1/hi), quote = L × (hi − lo) / 2^128.
 */

/** Base (token A) between two prices, lo ≤ hi, rounded down. */
export function baseBetween(lo: bigint, hi: bigint, liquidity: bigint): bigint {
  return (liquidity * (hi - lo)) / (lo * hi);
}

export function baseBetweenUp(lo: bigint, hi: bigint, liquidity: bigint): bigint {
  return divideUp(liquidity * (hi - lo), lo * hi);
}

/** Quote (token B) between two prices, lo ≤ hi, rounded down. */
export function quoteBetween(lo: bigint, hi: bigint, liquidity: bigint): bigint {
  return (liquidity * (hi - lo)) >> 128n;
}

const QUOTE_UNIT_LESS_ONE = (1n << 128n) - 1n;

export function quoteBetweenUp(lo: bigint, hi: bigint, liquidity: bigint): bigint {
  return (liquidity * (hi - lo) + QUOTE_UNIT_LESS_ONE) >> 128n;
}

/** The price after base came in. It falls and is rounded up. */
export function priceAfterBaseIn(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  if (amount === 0n) return sqrtPrice;
  return divideUp(liquidity * sqrtPrice, liquidity + amount * sqrtPrice);
}

/** The price after quote came in. It rises and is rounded down. */
export function priceAfterQuoteIn(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  return sqrtPrice + (amount << 128n) / liquidity;
}

/** The price after base went out. It rises and is rounded up. */
export function priceAfterBaseOut(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  const rest = liquidity - amount * sqrtPrice;
  if (rest <= 0n) throw new SwapRefusal('MathOverflow');
  return divideUp(liquidity * sqrtPrice, rest);
}

/** The price after quote went out. It falls and is rounded down. */
export function priceAfterQuoteOut(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  const next = sqrtPrice - divideUp(amount << 128n, liquidity);
  if (next < 0n) throw new SwapRefusal('MathOverflow');
  return next;
}
