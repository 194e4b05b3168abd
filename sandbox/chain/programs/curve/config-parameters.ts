import type { CurveSegment } from '../../../../src/chain/pools/curve/config-account.ts';
import type { ArgumentReader } from '../anchor/borsh.ts';

/** Liquidity of the AMM's position that is vested after the migration. */
export interface LiquidityVestingParameters {
  percent: number;
  bpsPerPeriod: number;
  periods: number;
  cliffSeconds: number;
  frequency: number;
}

export type ConfigParameters = ReturnType<typeof readConfigParameters>;

/** The arguments of `create_config`, in order; slices that events repeat are kept as bytes. */
export function readConfigParameters(args: ArgumentReader) {
  const slice = <Value>(read: () => Value): { value: Value; bytes: Uint8Array } => {
    const start = args.offset;
    const value = read();
    return { value, bytes: args.bytes.subarray(start, args.offset) };
  };
  const poolFees = slice(() => ({
    cliffFeeNumerator: args.u64(),
    firstFactor: args.u16(),
    secondFactor: args.u64(),
    thirdFactor: args.u64(),
    baseFeeMode: args.u8(),
    dynamicFee: args.option(() => readDynamicFee(args)),
  }));
  const modes = {
    collectFeeMode: args.u8(),
    migrationOption: args.u8(),
    activationType: args.u8(),
    tokenType: args.u8(),
    tokenDecimal: args.u8(),
    partnerLiquidityPercent: args.u8(),
    partnerPermanentLockedLiquidityPercent: args.u8(),
    creatorLiquidityPercent: args.u8(),
    creatorPermanentLockedLiquidityPercent: args.u8(),
    migrationQuoteThreshold: args.u64(),
    sqrtStartPrice: args.u128(),
  };
  const vesting = slice(() => ({
    vestingAmountPerPeriod: args.u64(),
    vestingCliffSeconds: args.u64(),
    vestingFrequency: args.u64(),
    vestingPeriods: args.u64(),
    vestingCliffUnlockAmount: args.u64(),
  }));
  const rest = {
    migrationFeeOption: args.u8(),
    tokenSupply: args.option(() => ({ preMigration: args.u64(), postMigration: args.u64() })),
    creatorTradingFeePercent: args.u8(),
    tokenUpdateAuthority: args.u8(),
    migrationFeePercent: args.u8(),
    creatorMigrationFeePercent: args.u8(),
    migratedCollectFeeMode: args.u8(),
    migratedDynamicFee: args.u8(),
    migratedPoolFeeBps: args.u16(),
    poolCreationFee: args.u64(),
    partnerVesting: readLiquidityVesting(args),
    creatorVesting: readLiquidityVesting(args),
    migratedPoolBaseFeeMode: args.u8(),
    migratedPoolBaseFeeBytes: args.u128(),
    enableFirstSwapWithMinFee: args.bool(),
    migratedCompoundingFeeBps: args.u16(),
    padding: args.u16(),
  };
  const curve = slice(() =>
    args.list((): CurveSegment => ({ sqrtPrice: args.u128(), liquidity: args.u128() })),
  );
  return {
    ...poolFees.value,
    ...modes,
    ...vesting.value,
    ...rest,
    curve: curve.value,
    poolFeesBytes: poolFees.bytes,
    vestingBytes: vesting.bytes,
    curveBytes: curve.bytes,
  };
}

/** Dynamic-fee parameters; both programs have them in the same order. */
export function readDynamicFee(args: ArgumentReader) {
  return {
    binStep: args.u16(),
    binStepQ64: args.u128(),
    filterPeriod: args.u16(),
    decayPeriod: args.u16(),
    reductionFactor: args.u16(),
    maxVolatilityAccumulator: args.u32(),
    variableFeeControl: args.u32(),
  };
}

function readLiquidityVesting(args: ArgumentReader): LiquidityVestingParameters {
  return {
    percent: args.u8(),
    bpsPerPeriod: args.u16(),
    periods: args.u16(),
    cliffSeconds: args.u32(),
    frequency: args.u32(),
  };
}
