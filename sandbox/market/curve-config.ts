import { TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import type { CurveSegment } from '../../src/chain/pools/curve/config-account.ts';
import { divideUp, integerSquareRoot } from '../../src/chain/pools/fixed-point.ts';
import { activationTypes } from '../../src/chain/pools/swap-request.ts';
import { BorshWriter } from '../chain/programs/anchor/borsh.ts';
import { SUPPLY_RAW, TOKEN_DECIMALS } from './amounts.ts';
import { type CurvePlan, migrationFees } from './curve-kinds.ts';

/** Virtual tokens of the pool, which set the first price. */
const VIRTUAL_TOKENS_RAW = 1_073_000_000_000_000n;
/** The virtual SOL, as a part of the threshold. The curve then sells 793 million tokens, and the AMM pool
 * gets 207 million. */
const VIRTUAL_QUOTE = { numerator: 30n, denominator: 85n };
const MIGRATE_TO_DAMM_V2 = 1;
const FEE_IN_QUOTE = 0;
const IMMUTABLE = 1;
const CREATOR_FEE_PERCENT = 50;
/** Partner and creator each get half of the liquidity, locked for ever. */
const LOCKED_PERCENT = 50;
const migratedTerms = { collectFeeInOutput: 1, dynamicFee: 1, feeBps: 150 } as const;
const LIQUIDITY_VESTING_BYTES = 13;

/** Prices as Q64.64 roots: one stretch of constant liquidity, which ends where the threshold is reached. */
export function curveOf({ thresholdLamports }: CurvePlan): { sqrtStartPrice: bigint; curve: CurveSegment[] } {
  const virtualLamports = (thresholdLamports * VIRTUAL_QUOTE.numerator) / VIRTUAL_QUOTE.denominator;
  const product = virtualLamports * VIRTUAL_TOKENS_RAW;
  const endLamports = virtualLamports + thresholdLamports;
  const sqrtStartPrice = integerSquareRoot((virtualLamports << 128n) / VIRTUAL_TOKENS_RAW);
  const sqrtPrice = integerSquareRoot((endLamports * endLamports * (1n << 128n)) / product);
  const liquidity = divideUp(thresholdLamports << 128n, sqrtPrice - sqrtStartPrice);
  return { sqrtStartPrice, curve: [{ sqrtPrice, liquidity }] };
}

/** The arguments of `create_config`, in order. */
export function configArguments(plan: CurvePlan): Uint8Array {
  const { baseFee, thresholdLamports } = plan;
  const isToken2022 = plan.tokenProgram === TOKEN_2022;
  const { sqrtStartPrice, curve } = curveOf(plan);
  const to = new BorshWriter()
    .u64(baseFee.startNumerator)
    .u16(baseFee.periods)
    .u64(baseFee.periodSeconds, baseFee.reductionBps)
    .u8(baseFee.mode)
    .bytes(dynamicFee(plan))
    .u8(FEE_IN_QUOTE, MIGRATE_TO_DAMM_V2, activationTypes.timestamp)
    .u8(isToken2022 ? 1 : 0, TOKEN_DECIMALS)
    .u8(0, LOCKED_PERCENT, 0, LOCKED_PERCENT)
    .u64(thresholdLamports)
    .u128(sqrtStartPrice)
    // No locked vesting.
    .u64(0n, 0n, 0n, 0n, 0n)
    .u8(plan.migrationFee)
    .bool(true)
    .u64(SUPPLY_RAW, SUPPLY_RAW)
    .u8(CREATOR_FEE_PERCENT, IMMUTABLE)
    // No fee on the migration.
    .u8(0, 0);
  writeMigratedPool(to, plan);
  to.u32(curve.length);
  for (const { sqrtPrice, liquidity } of curve) to.u128(sqrtPrice, liquidity);
  return to.finish();
}

function dynamicFee({ hasDynamicFee }: CurvePlan): Uint8Array {
  const to = new BorshWriter().bool(hasDynamicFee);
  if (hasDynamicFee) {
    // Bins of one basis point; adds at most a fifth of one percent.
    to.u16(1).u128(1_844_674_407_370_955n).u16(10).u16(120).u16(5_000).u32(14_460_000).u32(956);
  }
  return to.finish();
}

function writeMigratedPool(to: BorshWriter, { migrationFee, favoursFirstSwap }: CurvePlan): void {
  const { collectFeeInOutput, dynamicFee, feeBps } = migratedTerms;
  const isCustomizable = migrationFee === migrationFees.customizable;
  to.u8(isCustomizable ? collectFeeInOutput : 0, isCustomizable ? dynamicFee : 0)
    .u16(isCustomizable ? feeBps : 0)
    // No fee for creating a pool, no vesting of liquidity, a constant fee.
    .u64(0n)
    .bytes(new Uint8Array(2 * LIQUIDITY_VESTING_BYTES))
    .u8(0)
    .u128(0n)
    .bool(favoursFirstSwap)
    // No compounding, and padding.
    .u16(0)
    .u16(0);
}
