import {
  baseBetween,
  baseBetweenUp,
  priceAfterBaseIn,
  priceAfterBaseOut,
  priceAfterQuoteIn,
  priceAfterQuoteOut,
  quoteBetween,
  quoteBetweenUp,
} from '../sqrt-price.ts';
import type { PriceMove } from '../swap-amounts.ts';
import type { CurveStretch } from './curve-terms.ts';

// The program rounds in each stretch, not once over the whole way.

/** The number of stretches between two prices. The program's work grows with it. */
export function stretchesTouched(stretches: readonly CurveStretch[], from: bigint, to: bigint): number {
  const [low, high] = from < to ? [from, to] : [to, from];
  return stretches.filter(({ lower, upper }) => lower < high && upper > low).length;
}

/** Quote goes in and base comes out. The price rises, at most to `stopSqrtPrice`. */
export function buyByInput(
  stretches: readonly CurveStretch[],
  sqrtPrice: bigint,
  quoteIn: bigint,
  stopSqrtPrice: bigint,
): PriceMove {
  let price = sqrtPrice;
  let left = quoteIn;
  let out = 0n;
  for (const { upper, liquidity } of stretches) {
    if (left === 0n || price >= stopSqrtPrice) break;
    if (upper <= price) continue;
    const end = upper < stopSqrtPrice ? upper : stopSqrtPrice;
    const room = quoteBetweenUp(price, end, liquidity);
    const isWithin = left < room;
    const next = isWithin ? priceAfterQuoteIn(price, liquidity, left) : end;
    out += baseBetween(price, next, liquidity);
    left = isWithin ? 0n : left - room;
    price = next;
  }
  return { nextSqrtPrice: price, otherRaw: out, leftRaw: left };
}

/**
 * This much base comes out, and quote goes in. A stretch too short to give one raw unit is passed and paid,
 * even when no base is left to take.
 */
export function buyByOutput(
  stretches: readonly CurveStretch[],
  sqrtPrice: bigint,
  baseOut: bigint,
): PriceMove {
  let price = sqrtPrice;
  let left = baseOut;
  let paid = 0n;
  for (const { upper, liquidity } of stretches) {
    if (upper <= price) continue;
    const room = baseBetween(price, upper, liquidity);
    const isWithin = left < room;
    const next = isWithin ? priceAfterBaseOut(price, liquidity, left) : upper;
    paid += quoteBetweenUp(price, next, liquidity);
    left = isWithin ? 0n : left - room;
    price = next;
    if (isWithin) break;
  }
  return { nextSqrtPrice: price, otherRaw: paid, leftRaw: left };
}

/** Base goes in and quote comes out. The price falls, at most to the start price. */
export function sellByInput(
  stretches: readonly CurveStretch[],
  sqrtPrice: bigint,
  baseIn: bigint,
): PriceMove {
  let price = sqrtPrice;
  let left = baseIn;
  let out = 0n;
  for (let index = stretches.length - 1; index >= 0 && left > 0n; index -= 1) {
    const { lower, liquidity } = stretches[index] as CurveStretch;
    // On the lowest stretch the price decides, not the amount: an amount too small to move the price fits.
    const isLowest = index === 0;
    if (lower >= price && !isLowest) continue;
    const room = baseBetweenUp(lower, price, liquidity);
    const aim = isLowest || left < room ? priceAfterBaseIn(price, liquidity, left) : lower;
    const isWithin = isLowest ? aim >= lower : left < room;
    const next = isWithin ? aim : lower;
    out += quoteBetween(next, price, liquidity);
    left = isWithin ? 0n : left - room;
    price = next;
  }
  return { nextSqrtPrice: price, otherRaw: out, leftRaw: left };
}

/**
 * This much quote comes out, and base goes in. Short stretches except the lowest pass as in `buyByOutput`.
 */
export function sellByOutput(
  stretches: readonly CurveStretch[],
  sqrtPrice: bigint,
  quoteOut: bigint,
): PriceMove {
  let price = sqrtPrice;
  let left = quoteOut;
  let paid = 0n;
  for (let index = stretches.length - 1; index >= 0; index -= 1) {
    const { lower, liquidity } = stretches[index] as CurveStretch;
    const isLowest = index === 0;
    if (lower >= price || (isLowest && left === 0n)) continue;
    const room = quoteBetween(lower, price, liquidity);
    const isWithin = isLowest ? left <= room : left < room;
    if (isLowest && !isWithin) break;
    const next = isWithin ? priceAfterQuoteOut(price, liquidity, left) : lower;
    if (next < lower) break;
    paid += baseBetweenUp(next, price, liquidity);
    left = isWithin ? 0n : left - room;
    price = next;
    if (isWithin) break;
  }
  return { nextSqrtPrice: price, otherRaw: paid, leftRaw: left };
}
