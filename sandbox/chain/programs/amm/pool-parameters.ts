import type { DammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import type { ArgumentReader } from '../anchor/borsh.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { readDynamicFee } from '../curve/config-parameters.ts';

/** The fees of a pool as arguments and events carry them. */
export type PoolFees = ReturnType<typeof readPoolFees>;

export function readPoolFees(args: ArgumentReader) {
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
