import {
  FEE_DENOMINATOR,
  FEE_NUMERATOR_MAX,
  feeSteps,
  numeratorAfter,
} from '../../../../src/chain/pools/base-fee.ts';
import type { DammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import { notComputed } from '../anchor/anchor-program.ts';
import { type ArgumentReader, BorshWriter } from '../anchor/borsh.ts';
import { readDynamicFee } from '../curve/config-parameters.ts';
import { BIN_STEP_Q64, SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { requireAmm } from './amm-errors.ts';
import { collectFeeModes } from './liquidity-amounts.ts';

/** The fees of a pool as arguments and events carry them. */
export type PoolFees = ReturnType<typeof readPoolFees>;

function readPoolFees(args: ArgumentReader) {
  return {
    cliffFeeNumerator: args.u64(),
    firstFactor: args.u16(),
    secondFactor: args.u64(),
    thirdFactor: args.u64(),
    baseFeeMode: args.u8(),
    compoundingFeeBps: args.u16(),
    padding: args.u8(),
    dynamicFee: args.option(() => readDynamicFee(args)),
  };
}

export function writePoolFees(fees: PoolFees): Uint8Array {
  const { dynamicFee } = fees;
  const writer = new BorshWriter()
    .u64(fees.cliffFeeNumerator)
    .u16(fees.firstFactor)
    .u64(fees.secondFactor, fees.thirdFactor)
    .u8(fees.baseFeeMode)
    .u16(fees.compoundingFeeBps)
    .u8(fees.padding)
    .bool(dynamicFee !== null);
  if (dynamicFee !== null) {
    writer
      .u16(dynamicFee.binStep)
      .u128(dynamicFee.binStepQ64)
      .u16(dynamicFee.filterPeriod)
      .u16(dynamicFee.decayPeriod)
      .u16(dynamicFee.reductionFactor)
      .u32(dynamicFee.maxVolatilityAccumulator)
      .u32(dynamicFee.variableFeeControl);
  }
  return writer.finish();
}

/** Fields of the pool account for its fees. */
export function feeFields({ dynamicFee, padding, ...fees }: PoolFees): Partial<DammPoolState> {
  return { ...fees, ...(dynamicFee === null ? {} : { hasDynamicFee: 1, ...dynamicFee }) };
}

/** Arguments of the two instructions that open a pool on terms of its own. */
export function readCustomizable(args: ArgumentReader) {
  return {
    fees: readPoolFees(args),
    sqrtMinPrice: args.u128(),
    sqrtMaxPrice: args.u128(),
    hasAlphaVault: args.bool(),
    liquidity: args.u128(),
    sqrtPrice: args.u128(),
    activationType: args.u8(),
    collectFeeMode: args.u8(),
    activationPoint: args.option(() => args.u64()),
  };
}

const baseFeeModes = { rateLimiter: 2, last: 4 } as const;
const exponentialModes: readonly number[] = [1, 4];
const FEE_NUMERATOR_MIN = 100_000n;
const U24_MAX = 0xff_ffff;
/**
 * A pool may open up to 31 days from now. In the compiled program a slot counts as 400 ms, whatever the cluster's last.
 */
const ACTIVATION_MAX = { slots: 6_696_000n, seconds: 2_678_400n } as const;

/** Refuses what the program refuses in the terms of a new pool. */
export function checkPoolTerms(terms: ReturnType<typeof readCustomizable>, point: bigint): void {
  requireAmm(terms.activationType <= activationTypes.timestamp, 'InvalidActivationType');
  requireAmm(terms.collectFeeMode <= collectFeeModes.compounding, 'InvalidCollectFeeMode');
  const isCompounding = terms.collectFeeMode === collectFeeModes.compounding;
  const [lower, upper] = isCompounding
    ? [SQRT_PRICE_MIN, SQRT_PRICE_MAX]
    : [terms.sqrtMinPrice, terms.sqrtMaxPrice];
  requireAmm(lower >= SQRT_PRICE_MIN && upper <= SQRT_PRICE_MAX && lower < upper, 'InvalidPriceRange');
  requireAmm(terms.sqrtPrice >= lower && terms.sqrtPrice <= upper, 'InvalidPriceRange');
  requireAmm(terms.liquidity > 0n, 'InvalidMinimumLiquidity');
  checkFees(terms.fees, isCompounding);
  if (terms.hasAlphaVault) throw notComputed('pools with an alpha vault');
  const longest =
    terms.activationType === activationTypes.slot ? ACTIVATION_MAX.slots : ACTIVATION_MAX.seconds;
  const { activationPoint } = terms;
  const isSoon = activationPoint === null || (activationPoint >= point && activationPoint <= point + longest);
  requireAmm(isSoon, 'InvalidActivationPoint');
}

function checkFees(fees: PoolFees, isCompounding: boolean): void {
  const isShareValid = isCompounding
    ? fees.compoundingFeeBps > 0 && fees.compoundingFeeBps <= 10_000
    : fees.compoundingFeeBps === 0;
  requireAmm(isShareValid, 'InvalidCompoundingFeeBps');
  requireAmm(fees.baseFeeMode <= baseFeeModes.last, 'InvalidBaseFeeMode');
  requireAmm(fees.cliffFeeNumerator < FEE_DENOMINATOR, 'InvalidFee');
  const least = fees.baseFeeMode === baseFeeModes.rateLimiter ? fees.cliffFeeNumerator : leastOf(fees);
  const isInRange = least >= FEE_NUMERATOR_MIN && fees.cliffFeeNumerator <= FEE_NUMERATOR_MAX;
  requireAmm(
    isInRange,
    fees.baseFeeMode === baseFeeModes.rateLimiter ? 'InvalidFeeRateLimiter' : 'ExceedMaxFeeBps',
  );
  const { dynamicFee } = fees;
  if (dynamicFee === null) return;
  requireAmm(dynamicFee.binStep === 1 && dynamicFee.binStepQ64 === BIN_STEP_Q64, 'InvalidInput');
  requireAmm(dynamicFee.filterPeriod < dynamicFee.decayPeriod, 'InvalidInput');
  requireAmm(dynamicFee.reductionFactor <= 10_000, 'InvalidInput');
  requireAmm(dynamicFee.variableFeeControl <= U24_MAX, 'InvalidInput');
  requireAmm(dynamicFee.maxVolatilityAccumulator <= U24_MAX, 'InvalidInput');
}

function leastOf(fees: PoolFees): bigint {
  const factors = [BigInt(fees.firstFactor), fees.secondFactor, fees.thirdFactor];
  const isComplete = factors.every((factor) => factor !== 0n) || factors.every((factor) => factor === 0n);
  requireAmm(isComplete, 'InvalidFeeTimeScheduler');
  const steps = feeSteps(fees, exponentialModes.includes(fees.baseFeeMode));
  return numeratorAfter(steps.stepsMax, steps);
}
