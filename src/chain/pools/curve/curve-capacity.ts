import { U128_MAX } from '../fixed-point.ts';
import type { CurveTerms } from './curve-terms.ts';
import { buyByInput } from './curve-walk.ts';
import type { CurvePool } from './pool-account.ts';

/** What a curve can still sell before it is complete. Fees are not part of it. */
export interface CurveCapacity {
  /** Quote that the reserve lacks to completion. */
  quoteToThresholdRaw: bigint;
  /** Quote that buys take until the migration price; it can exceed the above by what rounding adds. */
  quoteRaw: bigint;
  /** Base tokens that come out for it. */
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
