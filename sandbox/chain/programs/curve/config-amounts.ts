import type { CurveSegment } from '../../../../src/chain/accounts/pool-config.ts';
import { baseBetweenUp, priceAfterQuoteIn, quoteBetweenUp } from '../../../../src/chain/pools/sqrt-price.ts';
import { SQRT_PRICE_MAX } from '../pool-numbers.ts';
import { asCurveU64, requireCurve } from './curve-errors.ts';

/** Percentage of the sold tokens that is minted besides, because buys may overshoot the end of the curve. */
const SWAP_BUFFER_PERCENT = 25n;

/** The price at which the reserve has reached the threshold. */
export function migrationPrice(
  threshold: bigint,
  sqrtStartPrice: bigint,
  curve: readonly CurveSegment[],
): bigint {
  let price = sqrtStartPrice;
  let left = threshold;
  for (const { sqrtPrice, liquidity } of curve) {
    const room = quoteBetweenUp(price, sqrtPrice, liquidity);
    if (room > left) return priceAfterQuoteIn(price, liquidity, left);
    left -= room;
    price = sqrtPrice;
  }
  requireCurve(left === 0n, 'NotEnoughLiquidity');
  return price;
}

/** Base tokens that the curve gives out up to a price; each stretch is rounded up. */
export function baseUpTo(
  endSqrtPrice: bigint,
  sqrtStartPrice: bigint,
  curve: readonly CurveSegment[],
): bigint {
  let lower = sqrtStartPrice;
  let sum = 0n;
  for (const { sqrtPrice, liquidity } of curve) {
    const upper = sqrtPrice > endSqrtPrice ? endSqrtPrice : sqrtPrice;
    sum += baseBetweenUp(lower, upper, liquidity);
    if (sqrtPrice > endSqrtPrice) break;
    lower = sqrtPrice;
  }
  return sum;
}

/** The tokens that the curve sells and a reserve for the last buy, at most as many as the curve can give. */
export function swapAmountWithBuffer(
  swapBaseAmount: bigint,
  sqrtStartPrice: bigint,
  curve: readonly CurveSegment[],
): bigint {
  const buffered = swapBaseAmount + (swapBaseAmount * SWAP_BUFFER_PERCENT) / 100n;
  const most = baseUpTo(SQRT_PRICE_MAX, sqrtStartPrice, curve);
  return asCurveU64(buffered < most ? buffered : most);
}
