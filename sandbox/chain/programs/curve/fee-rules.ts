import {
  basisPointsToNumerator,
  FEE_DENOMINATOR,
  FEE_NUMERATOR_MAX,
  feeSteps,
  numeratorAfter,
} from '../../../../src/chain/pools/base-fee.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import { BIN_STEP_Q64 } from '../pool-numbers.ts';
import type { ConfigParameters } from './config-parameters.ts';
import { requireCurve } from './curve-errors.ts';

export const baseFeeModes = { linear: 0, exponential: 1, rateLimiter: 2 } as const;
const QUOTE_TOKEN = 0;
const FEE_NUMERATOR_MIN = 2_500_000n;
const LIMITER_SECONDS_MAX = 43_200n;
const LIMITER_SLOTS_MAX = 108_000n;
const U24_MAX = 0xff_ffff;
const BIN_STEP = 1;

/** The rules that the trading fee of a config must meet. */
export function checkTradingFee(parameters: ConfigParameters): void {
  requireCurve(parameters.baseFeeMode <= baseFeeModes.rateLimiter, 'InvalidBaseFeeMode');
  if (parameters.baseFeeMode === baseFeeModes.rateLimiter) checkRateLimiter(parameters);
  else checkSchedule(parameters);
  const { dynamicFee } = parameters;
  if (dynamicFee === null) return;
  requireCurve(dynamicFee.binStep === BIN_STEP && dynamicFee.binStepQ64 === BIN_STEP_Q64, 'InvalidInput');
  requireCurve(dynamicFee.filterPeriod < dynamicFee.decayPeriod, 'InvalidInput');
  requireCurve(dynamicFee.reductionFactor <= 10_000, 'InvalidInput');
  requireCurve(dynamicFee.variableFeeControl <= U24_MAX, 'InvalidInput');
  requireCurve(dynamicFee.maxVolatilityAccumulator <= U24_MAX, 'InvalidInput');
}

/** Refuses a schedule whose lowest fee is too low. */
export function requireLeastFee(least: bigint): void {
  requireCurve(least >= FEE_NUMERATOR_MIN, 'InvalidMinBaseFee');
}

function checkSchedule(parameters: ConfigParameters): void {
  const { cliffFeeNumerator, firstFactor, secondFactor, thirdFactor, baseFeeMode } = parameters;
  const factors = [BigInt(firstFactor), secondFactor, thirdFactor];
  const isComplete = factors.every((factor) => factor !== 0n) || factors.every((factor) => factor === 0n);
  requireCurve(isComplete, 'InvalidFeeScheduler');
  const steps = feeSteps(parameters, baseFeeMode === baseFeeModes.exponential);
  requireCurve(!steps.isExponential || thirdFactor <= 10_000n, 'MathOverflow');
  const least = numeratorAfter(steps.stepsMax, steps);
  requireCurve(least >= 0n, 'MathOverflow');
  requireCurve(least < FEE_DENOMINATOR && cliffFeeNumerator < FEE_DENOMINATOR, 'InvalidFee');
  requireCurve(least >= FEE_NUMERATOR_MIN && cliffFeeNumerator <= FEE_NUMERATOR_MAX, 'ExceedMaxFeeBps');
}

function checkRateLimiter(parameters: ConfigParameters): void {
  const { cliffFeeNumerator, firstFactor, secondFactor, thirdFactor } = parameters;
  requireCurve(parameters.collectFeeMode === QUOTE_TOKEN, 'InvalidFeeRateLimiter');
  requireCurve(
    cliffFeeNumerator >= FEE_NUMERATOR_MIN && cliffFeeNumerator <= FEE_NUMERATOR_MAX,
    'InvalidFeeRateLimiter',
  );
  const factors = [BigInt(firstFactor), secondFactor, thirdFactor];
  if (factors.every((factor) => factor === 0n)) return;
  requireCurve(
    factors.every((factor) => factor !== 0n),
    'InvalidFeeRateLimiter',
  );
  const longest =
    parameters.activationType === activationTypes.slot ? LIMITER_SLOTS_MAX : LIMITER_SECONDS_MAX;
  requireCurve(secondFactor <= longest, 'InvalidFeeRateLimiter');
  const incrementNumerator = basisPointsToNumerator(BigInt(firstFactor));
  requireCurve(incrementNumerator < FEE_DENOMINATOR, 'InvalidFeeRateLimiter');
}
