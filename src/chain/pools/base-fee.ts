import { BASIS_POINTS, ONE_Q64, powerQ64 } from './fixed-point.ts';

/** Fees are numerators over this denominator. */
export const FEE_DENOMINATOR = 1_000_000_000n;
const NUMERATOR_PER_BASIS_POINT = FEE_DENOMINATOR / BASIS_POINTS;
/** 99 %: the cap of every fee of curves and of current AMM pools. */
export const FEE_NUMERATOR_MAX = 990_000_000n;

/** How a fee falls step by step from its start. */
export interface FeeSteps {
  isExponential: boolean;
  startNumerator: bigint;
  /** After this many steps the fee stays. */
  stepsMax: bigint;
  /** The amount that a step takes off the numerator, or for an exponential fee its share in basis points. */
  reduction: bigint;
}

/** A fee schedule: the fee falls with time, or on the AMM with the rise of the price since the pool began. */
export type BaseFee =
  | ({ kind: 'time_schedule'; stepLength: bigint } & FeeSteps)
  | ({ kind: 'market_cap_schedule'; priceStepBps: bigint; expiresAfter: bigint } & FeeSteps)
  | {
      kind: 'rate_limiter';
      startNumerator: bigint;
      incrementNumerator: bigint;
      capNumerator: bigint;
      /** The start numerator holds up to this amount. Each further stretch of it costs one increment more. */
      referenceRaw: bigint;
      duration: bigint;
    };

/**
 * The base fee as the account of a pool or config holds it. The meaning of the factors depends on the mode.
 */
export interface BaseFeeFields {
  cliffFeeNumerator: bigint;
  baseFeeMode: number;
  firstFactor: number;
  secondFactor: bigint;
  thirdFactor: bigint;
}

export function feeSteps(
  { cliffFeeNumerator, firstFactor, thirdFactor }: BaseFeeFields,
  isExponential: boolean,
): FeeSteps {
  return {
    isExponential,
    startNumerator: cliffFeeNumerator,
    stepsMax: BigInt(firstFactor),
    reduction: thirdFactor,
  };
}

export function rateLimiterOf(
  { cliffFeeNumerator, firstFactor, thirdFactor }: BaseFeeFields,
  duration: bigint,
  capNumerator: bigint,
): BaseFee {
  return {
    kind: 'rate_limiter',
    startNumerator: cliffFeeNumerator,
    incrementNumerator: basisPointsToNumerator(BigInt(firstFactor)),
    capNumerator,
    referenceRaw: thirdFactor,
    duration,
  };
}

export function basisPointsToNumerator(basisPoints: bigint): bigint {
  return basisPoints * NUMERATOR_PER_BASIS_POINT;
}

/** The numerator after a number of steps. After the last step it stays. */
export function numeratorAfter(steps: bigint, fee: FeeSteps): bigint {
  const taken = steps < fee.stepsMax ? steps : fee.stepsMax;
  if (!fee.isExponential) return fee.startNumerator - taken * fee.reduction;
  if (taken === 0n) return fee.startNumerator;
  const kept = ONE_Q64 - (fee.reduction << 64n) / BASIS_POINTS;
  return (fee.startNumerator * powerQ64(kept, Number(taken))) >> 64n;
}

export type TimeSchedule = Extract<BaseFee, { kind: 'time_schedule' }>;

/** Before activation only a privileged vault may trade. The schedule counts as finished then. */
export function numeratorByTime(fee: TimeSchedule, point: bigint, activationPoint: bigint): bigint {
  if (point < activationPoint) return numeratorAfter(fee.stepsMax, fee);
  return numeratorAfter(fee.stepLength === 0n ? 0n : (point - activationPoint) / fee.stepLength, fee);
}
