import {
  type BaseFee,
  basisPointsToNumerator,
  FEE_NUMERATOR_MAX,
  feeSteps,
  numeratorAfter,
  numeratorByTime,
  rateLimiterOf,
} from '../base-fee.ts';
import { BASIS_POINTS } from '../fixed-point.ts';
import { isLimiting, numeratorOfNet, numeratorOfPaid } from '../rate-limiter-fee.ts';
import { type PoolClock, pointOf } from '../swap-request.ts';
import { variableFeeNumerator } from '../volatility.ts';
import type { DammPoolState } from './pool-account.ts';

/** Pools of the first fee version never charge more than half of the amount. */
const FIRST_VERSION_NUMERATOR_MAX = 500_000_000n;
const FIRST_FEE_VERSION = 0;

const modes = {
  timeLinear: 0,
  timeExponential: 1,
  rateLimiter: 2,
  marketCapLinear: 3,
  marketCapExponential: 4,
};
const LOW_32_BITS = 0xffff_ffffn;

/** The base fee of a pool. Null for an unknown mode. */
export function dammBaseFee(pool: DammPoolState): BaseFee | null {
  // In every mode except a schedule by time, the field holds two numbers of 32 bits.
  const low = pool.secondFactor & LOW_32_BITS;
  const high = pool.secondFactor >> 32n;
  switch (pool.baseFeeMode) {
    case modes.timeLinear:
    case modes.timeExponential:
      return {
        kind: 'time_schedule',
        stepLength: pool.secondFactor,
        ...feeSteps(pool, pool.baseFeeMode === modes.timeExponential),
      };
    case modes.rateLimiter:
      return rateLimiterOf(pool, low, basisPointsToNumerator(high));
    case modes.marketCapLinear:
    case modes.marketCapExponential:
      return {
        kind: 'market_cap_schedule',
        priceStepBps: low,
        expiresAfter: high,
        ...feeSteps(pool, pool.baseFeeMode === modes.marketCapExponential),
      };
    default:
      return null;
  }
}

/** Whether the fee depends on the amount: a rate limiter is in force, and the trade goes from B to A. */
export function isDammRateLimited(
  pool: DammPoolState,
  baseFee: BaseFee,
  clock: PoolClock,
  direction: 'a_to_b' | 'b_to_a',
): boolean {
  if (direction === 'a_to_b' || baseFee.kind !== 'rate_limiter') return false;
  return isLimiting(baseFee, pointOf(clock, pool.activationType), pool.activationPoint);
}

/** The whole fee as a numerator, for an amount that includes it, or (`isNet`) for an amount after the fee. */
export function dammFeeNumerator(
  pool: DammPoolState,
  baseFee: BaseFee,
  clock: PoolClock,
  direction: 'a_to_b' | 'b_to_a',
  raw: bigint,
  isNet: boolean,
): bigint {
  const variable = pool.hasDynamicFee === 0 ? 0n : variableFeeNumerator(pool, pool.volatilityAccumulator);
  const total = baseNumerator(pool, baseFee, clock, direction, raw, isNet) + variable;
  const max = pool.feeVersion === FIRST_FEE_VERSION ? FIRST_VERSION_NUMERATOR_MAX : FEE_NUMERATOR_MAX;
  return total < max ? total : max;
}

function baseNumerator(
  pool: DammPoolState,
  baseFee: BaseFee,
  clock: PoolClock,
  direction: 'a_to_b' | 'b_to_a',
  raw: bigint,
  isNet: boolean,
): bigint {
  switch (baseFee.kind) {
    case 'time_schedule':
      return numeratorByTime(baseFee, pointOf(clock, pool.activationType), pool.activationPoint);
    case 'market_cap_schedule':
      return numeratorAfter(marketCapSteps(pool, baseFee, pointOf(clock, pool.activationType)), baseFee);
    case 'rate_limiter':
      if (!isDammRateLimited(pool, baseFee, clock, direction)) return baseFee.startNumerator;
      return isNet ? numeratorOfNet(baseFee, raw) : numeratorOfPaid(baseFee, raw);
  }
}

/** Steps by the rise of the square-root price. Outside its time the schedule counts as finished. */
function marketCapSteps(
  { activationPoint, sqrtPrice, initSqrtPrice }: DammPoolState,
  fee: Extract<BaseFee, { kind: 'market_cap_schedule' }>,
  point: bigint,
): bigint {
  if (point < activationPoint || point > activationPoint + fee.expiresAfter) return fee.stepsMax;
  if (sqrtPrice <= initSqrtPrice) return 0n;
  return ((sqrtPrice - initSqrtPrice) * BASIS_POINTS) / (initSqrtPrice * fee.priceStepBps);
}
