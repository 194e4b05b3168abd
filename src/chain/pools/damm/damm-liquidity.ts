import { divideUp, integerSquareRoot } from '../fixed-point.ts';
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
import { SwapRefusal } from '../swap-refusal.ts';
import type { DammErrorName } from './damm-errors.ts';
import type { DammPoolState } from './pool-account.ts';

function refuse(name: DammErrorName): never {
  throw new SwapRefusal<DammErrorName>(name);
}

/**
 * Moves within the pool's one price range. A partial fill stops at the end of the range, an exact amount is
 * refused there.
 */
export function moveOnRangeByInput(
  { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, liquidity }: DammPoolState,
  isAToB: boolean,
  inRaw: bigint,
  mode: 'exact_in' | 'partial_fill',
): PriceMove {
  const end = isAToB ? sqrtMinPrice : sqrtMaxPrice;
  if (mode === 'partial_fill') {
    const room = isAToB
      ? baseBetweenUp(end, sqrtPrice, liquidity)
      : quoteBetweenUp(sqrtPrice, end, liquidity);
    if (inRaw >= room) {
      const otherRaw = isAToB
        ? quoteBetween(end, sqrtPrice, liquidity)
        : baseBetween(sqrtPrice, end, liquidity);
      return { nextSqrtPrice: end, otherRaw, leftRaw: inRaw - room };
    }
  }
  if (isAToB) {
    const next = priceAfterBaseIn(sqrtPrice, liquidity, inRaw);
    if (next < end) refuse('PriceRangeViolation');
    return { nextSqrtPrice: next, otherRaw: quoteBetween(next, sqrtPrice, liquidity), leftRaw: 0n };
  }
  const next = priceAfterQuoteIn(sqrtPrice, liquidity, inRaw);
  if (next > end) refuse('PriceRangeViolation');
  return { nextSqrtPrice: next, otherRaw: baseBetween(sqrtPrice, next, liquidity), leftRaw: 0n };
}

export function moveOnRangeByOutput(
  { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, liquidity }: DammPoolState,
  isAToB: boolean,
  outRaw: bigint,
): PriceMove {
  if (isAToB) {
    const next = priceAfterQuoteOut(sqrtPrice, liquidity, outRaw);
    if (next < sqrtMinPrice) refuse('PriceRangeViolation');
    return { nextSqrtPrice: next, otherRaw: baseBetweenUp(next, sqrtPrice, liquidity), leftRaw: 0n };
  }
  const next = priceAfterBaseOut(sqrtPrice, liquidity, outRaw);
  if (next > sqrtMaxPrice) refuse('PriceRangeViolation');
  return { nextSqrtPrice: next, otherRaw: quoteBetweenUp(sqrtPrice, next, liquidity), leftRaw: 0n };
}

/**
 * In a compounding pool the product of the reserves stays the same, so every amount fits. The price is
 * computed from the new reserves.
 */
export function moveByProductOfInput(reserveIn: bigint, reserveOut: bigint, inRaw: bigint): PriceMove {
  return { nextSqrtPrice: 0n, otherRaw: (reserveOut * inRaw) / (reserveIn + inRaw), leftRaw: 0n };
}

export function moveByProductOfOutput(reserveIn: bigint, reserveOut: bigint, outRaw: bigint): PriceMove {
  if (outRaw >= reserveOut) refuse('MathOverflow');
  return { nextSqrtPrice: 0n, otherRaw: divideUp(reserveIn * outRaw, reserveOut - outRaw), leftRaw: 0n };
}

/** The square-root price of a compounding pool, Q64.64: B over A, rounded down. */
export function priceOfReserves(reserveA: bigint, reserveB: bigint): bigint {
  return integerSquareRoot((reserveB << 128n) / reserveA);
}
