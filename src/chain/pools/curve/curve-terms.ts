import { migrationProgress } from '../../accounts/virtual-pool.ts';
import {
  type BaseFee,
  type BaseFeeFields,
  FEE_NUMERATOR_MAX,
  feeSteps,
  numeratorAfter,
  rateLimiterOf,
} from '../base-fee.ts';
import type { VolatilityTerms } from '../volatility.ts';
import type { CurveConfig } from './config-account.ts';

/** One stretch of constant liquidity. Prices are Q64.64 square roots. */
export interface CurveStretch {
  lower: bigint;
  upper: bigint;
  liquidity: bigint;
}

/** The terms of a config for swaps, computed once because configs never change. */
export interface CurveTerms {
  stretches: readonly CurveStretch[];
  sqrtStartPrice: bigint;
  /** The price at which a partial fill stops. */
  migrationSqrtPrice: bigint;
  /** The quote reserve at which the curve is complete. */
  migrationQuoteThreshold: bigint;
  activationType: number;
  /** If false, the fee is always in the quote token. */
  takesFeeFromOutput: boolean;
  baseFee: BaseFee;
  /** The lowest base fee of the schedule. */
  leastBaseNumerator: bigint;
  /** Null when the fee does not depend on volatility. */
  dynamicFee: VolatilityTerms | null;
  /** The first swap pays the lowest base fee when it is in the transaction that creates the pool. */
  favoursFirstSwap: boolean;
  /** The creator's share of the trading fee, in percent. The partner gets the rest. */
  creatorPercent: bigint;
  /** The migration progress of the pool at the moment when the curve is complete. */
  progressWhenComplete: number;
}

const OUTPUT_TOKEN = 1;
const EXPONENTIAL = 1;
const RATE_LIMITER = 2;

export function curveTerms(config: CurveConfig): CurveTerms {
  const baseFee = curveBaseFee(config);
  return {
    stretches: stretchesOf(config),
    sqrtStartPrice: config.sqrtStartPrice,
    migrationSqrtPrice: config.migrationSqrtPrice,
    migrationQuoteThreshold: config.migrationQuoteThreshold,
    activationType: config.activationType,
    takesFeeFromOutput: config.collectFeeMode === OUTPUT_TOKEN,
    baseFee,
    leastBaseNumerator:
      'stepsMax' in baseFee ? numeratorAfter(baseFee.stepsMax, baseFee) : baseFee.startNumerator,
    dynamicFee: config.hasDynamicFee === 0 ? null : config,
    favoursFirstSwap: config.enableFirstSwapWithMinFee !== 0,
    creatorPercent: BigInt(config.creatorTradingFeePercent),
    // Without locked vesting the step that locks it counts as done.
    progressWhenComplete: hasVesting(config)
      ? migrationProgress.curveComplete
      : migrationProgress.vestingLocked,
  };
}

function hasVesting(config: CurveConfig): boolean {
  return config.vestingCliffUnlockAmount + config.vestingAmountPerPeriod * config.vestingPeriods > 0n;
}

function curveBaseFee(config: BaseFeeFields): BaseFee {
  if (config.baseFeeMode === RATE_LIMITER)
    return rateLimiterOf(config, config.secondFactor, FEE_NUMERATOR_MAX);
  return {
    kind: 'time_schedule',
    stepLength: config.secondFactor,
    ...feeSteps(config, config.baseFeeMode === EXPONENTIAL),
  };
}

function stretchesOf({ curve, sqrtStartPrice }: CurveConfig): CurveStretch[] {
  return curve.map(({ sqrtPrice, liquidity }, index) => ({
    lower: curve[index - 1]?.sqrtPrice ?? sqrtStartPrice,
    upper: sqrtPrice,
    liquidity,
  }));
}
