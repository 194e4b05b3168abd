import { U128_MAX } from '../fixed-point.ts';
import type { CurveTerms } from './curve-terms.ts';
import { buyByInput } from './curve-walk.ts';
import type { CurvePool } from './pool-account.ts';

/** The amounts that a curve can still trade before it is complete, without fees. */
export interface CurveCapacity {
  /** Quote that the reserve lacks until the curve is complete. */
  quoteToThresholdRaw: bigint;
  /**
   * Quote that buys take until the migration price. Rounding can make it larger than `quoteToThresholdRaw`.
   */
  quoteRaw: bigint;
  /** Base tokens that these buys get. */
  baseRaw: bigint;
}

export function curveCapacity(terms: CurveTerms, pool: CurvePool): CurveCapacity {
  const { migrationQuoteThreshold, stretches, migrationSqrtPrice } = terms;
  if (pool.quoteReserve >= migrationQuoteThreshold)
    return { quoteToThresholdRaw: 0n, quoteRaw: 0n, baseRaw: 0n };
  const move = buyByInput(stretches, pool.sqrtPrice, U128_MAX, migrationSqrtPrice);
  return {
    quoteToThresholdRaw: migrationQuoteThreshold - pool.quoteReserve,
    quoteRaw: U128_MAX - move.leftRaw,
    baseRaw: move.otherRaw,
  };
}
