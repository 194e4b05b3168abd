import { U128_MAX } from '../fixed-point.ts';
import type { PoolClock } from '../swap-request.ts';
import { feeOn } from '../trading-fee.ts';
import { curveFeeNumerator } from './curve-fee.ts';
import type { CurveSwapRequest } from './curve-request.ts';
import { quoteCurveSwap } from './curve-swap.ts';
import type { CurveTerms } from './curve-terms.ts';
import { buyByInput } from './curve-walk.ts';
import type { CurvePool } from './pool-account.ts';

/** The amounts that a curve can still trade before it is complete. */
export interface CurveCapacity {
  /** Quote that the reserve lacks until the curve is complete. */
  quoteToThresholdRaw: bigint;
  /**
   * Quote that buys take until the migration price, without fees. Rounding can make it larger than
   * `quoteToThresholdRaw`.
   */
  quoteRaw: bigint;
  /** The most base tokens that one buy can name as its output now, after a fee on them. */
  baseRaw: bigint;
}

/** The clock counts for the fee alone. */
export function curveCapacity(terms: CurveTerms, pool: CurvePool, clock: PoolClock): CurveCapacity {
  const { migrationQuoteThreshold, stretches, migrationSqrtPrice } = terms;
  if (pool.quoteReserve >= migrationQuoteThreshold)
    return { quoteToThresholdRaw: 0n, quoteRaw: 0n, baseRaw: 0n };
  const move = buyByInput(stretches, pool.sqrtPrice, U128_MAX, migrationSqrtPrice);
  return {
    quoteToThresholdRaw: migrationQuoteThreshold - pool.quoteReserve,
    quoteRaw: U128_MAX - move.leftRaw,
    baseRaw: mostBaseRaw(terms, pool, clock, move.otherRaw),
  };
}

/**
 * The program rounds a buy of all tokens up, and may then refuse the last units: the largest amount that it takes.
 * @param soldRaw base tokens until the migration price
 */
function mostBaseRaw(terms: CurveTerms, pool: CurvePool, clock: PoolClock, soldRaw: bigint): bigint {
  const buy = (amountRaw: bigint): CurveSwapRequest => ({
    side: 'buy',
    mode: 'exact_out',
    amountRaw,
    limitRaw: null,
    hasReferral: false,
    provesSingleSwap: true,
    isFirstSwapAtLaunch: false,
  });
  const isTaken = (amountRaw: bigint) =>
    quoteCurveSwap(terms, pool, clock, buy(amountRaw)).outcome === 'swapped';
  const feeRaw = terms.takesFeeFromOutput
    ? feeOn(soldRaw, curveFeeNumerator(terms, pool, clock, buy(soldRaw), soldRaw, false))
    : 0n;
  let taken = soldRaw - feeRaw;
  let refused = taken + 1n;
  // Nearly always the first one or the next is taken.
  for (let step = 1n; taken > 0n && !isTaken(taken); step *= 2n) {
    refused = taken;
    taken = taken > step ? taken - step : 0n;
  }
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n;
    if (isTaken(middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}
