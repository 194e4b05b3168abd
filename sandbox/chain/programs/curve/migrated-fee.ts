import { basisPointsToNumerator, numeratorAfter } from '../../../../src/chain/pools/base-fee.ts';
import type { CurveConfig } from '../../../../src/chain/pools/curve/config-account.ts';
import { BorshWriter } from '../anchor/borsh.ts';

/** How the migrated pool collects its fee; the AMM numbers the first two the other way round. */
export const migratedCollectFeeModes = { quoteToken: 0, outputToken: 1, compounding: 2 } as const;
export const dammCollectFeeModes = [1, 0, 2] as const;

const LINEAR_MARKET_CAP = 3;
const EXPONENTIAL_MARKET_CAP = 4;
/** The dynamic fee of migrated pools at the highest volatility, in percent of the base fee. */
const DYNAMIC_PERCENT = 20n;
const MAX_VOLATILITY = 14_460_000;
const SQUARE_OF_MAX_MOVE = 209_091_600_000_000n;
const VARIABLE_FEE_SCALE = 100_000_000_000n;

/** Fee parameters for a pool with a customizable fee, as the AMM takes them. */
export function migratedFeeArguments(config: CurveConfig): Uint8Array {
  const { migratedPoolBaseFeeMode: mode } = config;
  const cliff = basisPointsToNumerator(BigInt(config.migratedPoolFeeBps));
  const isByMarketCap = mode === LINEAR_MARKET_CAP || mode === EXPONENTIAL_MARKET_CAP;
  const schedule = isByMarketCap ? marketCapSchedule(config.migratedPoolBaseFeeBytes) : NO_SCHEDULE;
  const writer = new BorshWriter()
    .u64(cliff)
    .u16(schedule.periods)
    .u64(schedule.secondFactor, schedule.reduction)
    .u8(mode)
    .u16(config.migratedCompoundingFeeBps)
    .u8(0);
  const steps = {
    isExponential: mode === EXPONENTIAL_MARKET_CAP,
    startNumerator: cliff,
    stepsMax: BigInt(schedule.periods),
    reduction: schedule.reduction,
  };
  const least = isByMarketCap ? numeratorAfter(steps.stepsMax, steps) : cliff;
  return writer.bytes(dynamicFeeArguments(config.migratedDynamicFee !== 0, least)).finish();
}

const NO_SCHEDULE = { periods: 0, secondFactor: 0n, reduction: 0n };

/** 16 bytes of a config: periods, price step in basis points, seconds until it ends, reduction. */
function marketCapSchedule(packed: bigint): typeof NO_SCHEDULE {
  const priceStepBps = (packed >> 16n) & 0xffffn;
  const expiresAfter = (packed >> 32n) & 0xffff_ffffn;
  return {
    periods: Number(packed & 0xffffn),
    secondFactor: priceStepBps | (expiresAfter << 32n),
    reduction: packed >> 64n,
  };
}

function dynamicFeeArguments(isOn: boolean, leastNumerator: bigint): Uint8Array {
  const writer = new BorshWriter().bool(isOn);
  if (!isOn) return writer.finish();
  const most = (leastNumerator * DYNAMIC_PERCENT) / 100n;
  const control = (most * VARIABLE_FEE_SCALE - (VARIABLE_FEE_SCALE - 1n)) / SQUARE_OF_MAX_MOVE;
  return writer
    .u16(1) // bin step
    .u128(1_844_674_407_370_955n)
    .u16(10) // filter period
    .u16(120) // decay period
    .u16(5_000) // reduction
    .u32(MAX_VOLATILITY)
    .u32(Number(control))
    .finish();
}
