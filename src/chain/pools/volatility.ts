import { BASIS_POINTS, ONE_Q64 } from './fixed-point.ts';

/** Settings of the fee that grows when the price moves fast. Times are in seconds. */
export interface VolatilityTerms {
  maxVolatilityAccumulator: number;
  variableFeeControl: number;
  binStep: number;
  /** The reference stays within this time after the last move. */
  filterPeriod: number;
  /** After this time the volatility is forgotten. */
  decayPeriod: number;
  /** Basis points of the volatility that are kept between the two periods. */
  reductionFactor: number;
  /** The width of a bin as a Q64.64 share of the price. */
  binStepQ64: bigint;
}

/** The volatility that a pool account records. */
export interface Volatility {
  lastUpdateTimestamp: bigint;
  sqrtPriceReference: bigint;
  volatilityAccumulator: bigint;
  volatilityReference: bigint;
}

/** Units of the accumulator in one bin. */
const ACCUMULATOR_PER_BIN = BASIS_POINTS;
const VARIABLE_FEE_SCALE = 100_000_000_000n;

/** The fee on top of the base fee, rounded up. It is computed from the volatility before the swap. */
export function variableFeeNumerator(terms: VolatilityTerms, volatilityAccumulator: bigint): bigint {
  const moved = volatilityAccumulator * BigInt(terms.binStep);
  return (moved * moved * BigInt(terms.variableFeeControl) + VARIABLE_FEE_SCALE - 1n) / VARIABLE_FEE_SCALE;
}

/** The volatility after a swap that moved the price. The clock of dynamic fees always counts seconds. */
export function volatilityAfter(
  terms: VolatilityTerms,
  before: Volatility,
  unixSeconds: bigint,
  sqrtPrice: bigint,
  nextSqrtPrice: bigint,
): Volatility {
  const { sqrtPriceReference, volatilityReference } = referencesAt(terms, before, unixSeconds, sqrtPrice);
  const moved = binsBetween(terms, sqrtPriceReference, nextSqrtPrice) * ACCUMULATOR_PER_BIN;
  const accumulator = volatilityReference + moved;
  const max = BigInt(terms.maxVolatilityAccumulator);
  return {
    // A swap within one bin does not count as a move.
    lastUpdateTimestamp:
      binsBetween(terms, sqrtPrice, nextSqrtPrice) > 0n ? unixSeconds : before.lastUpdateTimestamp,
    sqrtPriceReference,
    volatilityReference,
    volatilityAccumulator: accumulator < max ? accumulator : max,
  };
}

/** The reference price of the volatility, and the part of the past volatility that still counts. */
function referencesAt(
  terms: VolatilityTerms,
  before: Volatility,
  unixSeconds: bigint,
  sqrtPrice: bigint,
): Pick<Volatility, 'sqrtPriceReference' | 'volatilityReference'> {
  const elapsed = unixSeconds - before.lastUpdateTimestamp;
  if (elapsed < BigInt(terms.filterPeriod)) return before;
  if (elapsed >= BigInt(terms.decayPeriod)) return { sqrtPriceReference: sqrtPrice, volatilityReference: 0n };
  const kept = (before.volatilityAccumulator * BigInt(terms.reductionFactor)) / BASIS_POINTS;
  return { sqrtPriceReference: sqrtPrice, volatilityReference: kept };
}

/** Bins between two square-root prices. A root's bin counts twice, because the price moves by its square. */
function binsBetween({ binStepQ64 }: VolatilityTerms, one: bigint, other: bigint): bigint {
  const [lower, upper] = one < other ? [one, other] : [other, one];
  const ratio = lower === 0n ? ONE_Q64 : (upper << 64n) / lower;
  return ((ratio - ONE_Q64) / binStepQ64) * 2n;
}
