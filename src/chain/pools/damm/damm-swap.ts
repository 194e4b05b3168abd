import type { BaseFee } from '../base-fee.ts';
import { asU64, BASIS_POINTS } from '../fixed-point.ts';
import {
  amountsByInput,
  amountsByOutput,
  isWithinLimit,
  type SwapAmounts,
  type SwapVenue,
} from '../swap-amounts.ts';
import { type FailedSwap, failureOf, SwapRefusal } from '../swap-refusal.ts';
import { type PoolClock, pointOf, type SwapTerms } from '../swap-request.ts';
import { splitFee } from '../trading-fee.ts';
import { volatilityAfter } from '../volatility.ts';
import { type DammErrorName, dammErrors } from './damm-errors.ts';
import { dammBaseFee, dammFeeNumerator, isDammRateLimited } from './damm-fee.ts';
import {
  moveByProductOfInput,
  moveByProductOfOutput,
  moveOnRangeByInput,
  moveOnRangeByOutput,
  priceOfReserves,
} from './damm-liquidity.ts';
import type { DammPoolState } from './pool-account.ts';

export interface DammSwapRequest extends SwapTerms {
  direction: 'a_to_b' | 'b_to_a';
}

/** Fields of the pool account that a swap changes. */
export type DammPoolChange = Partial<DammPoolState>;

/** The result of a swap as the program computes it. */
export interface DammSwap extends SwapAmounts {
  outcome: 'swapped';
  feeSide: 'a' | 'b';
  /** The part of the liquidity providers that they claim. */
  claimingFeeRaw: bigint;
  /** The part of the liquidity providers that stays in the reserve, in compounding pools. */
  compoundingFeeRaw: bigint;
  protocolFeeRaw: bigint;
  /** Paid to the referral at once. Every other fee stays in the vault. */
  referralFeeRaw: bigint;
  after: DammPoolChange;
}

/** A pool that this code cannot compute. */
export interface UnsupportedPool {
  outcome: 'unsupported';
  reason: 'base_fee_mode' | 'collect_fee_mode' | 'layout_version';
}

/** Mode 1 collects fees in token B, as compounding pools do. */
const collectFeeModes = { outputToken: 0, compounding: 2 };
const POOL_ENABLED = 0;

/** Computes what the program does with a swap: it carries the swap out, or fails with an error of its own. */
export function quoteDammSwap(
  pool: DammPoolState,
  clock: PoolClock,
  request: DammSwapRequest,
): DammSwap | FailedSwap<DammErrorName> | UnsupportedPool {
  // The first layout holds no reserves.
  if (pool.layoutVersion === 0) return { outcome: 'unsupported', reason: 'layout_version' };
  const baseFee = dammBaseFee(pool);
  if (baseFee === null) return { outcome: 'unsupported', reason: 'base_fee_mode' };
  if (pool.collectFeeMode > collectFeeModes.compounding) {
    return { outcome: 'unsupported', reason: 'collect_fee_mode' };
  }
  try {
    return swap(pool, baseFee, clock, request);
  } catch (thrown) {
    return failureOf(thrown, dammErrors);
  }
}

function swap(pool: DammPoolState, baseFee: BaseFee, clock: PoolClock, request: DammSwapRequest): DammSwap {
  const { mode, amountRaw, limitRaw, direction } = request;
  if (pool.poolStatus !== POOL_ENABLED || pointOf(clock, pool.activationType) < pool.activationPoint) {
    refuse('PoolDisabled');
  }
  if (amountRaw === 0n) refuse('AmountIsZero');
  if (!request.provesSingleSwap && isDammRateLimited(pool, baseFee, clock, direction)) {
    refuse('FailToValidateSingleSwapInstruction');
  }
  const venue = dammVenue(pool, baseFee, clock, direction);
  const amounts =
    mode === 'exact_out' ? amountsByOutput(venue, amountRaw) : amountsByInput(venue, mode, amountRaw);
  if (amounts.inRaw === 0n) refuse('AmountIsZero');
  if (!isWithinLimit(amounts, mode, limitRaw)) refuse('ExceededSlippage');
  return settled(pool, clock, request, amounts);
}

function refuse(name: DammErrorName): never {
  throw new SwapRefusal<DammErrorName>(name);
}

function dammVenue(
  pool: DammPoolState,
  baseFee: BaseFee,
  clock: PoolClock,
  direction: 'a_to_b' | 'b_to_a',
): SwapVenue {
  const isAToB = direction === 'a_to_b';
  const feeIsOnInput = !isAToB && pool.collectFeeMode !== collectFeeModes.outputToken;
  const feeNumerator = (raw: bigint, isNet: boolean) =>
    dammFeeNumerator(pool, baseFee, clock, direction, raw, isNet);
  if (pool.collectFeeMode === collectFeeModes.compounding) {
    const [reserveIn, reserveOut] = isAToB
      ? [pool.tokenAAmount, pool.tokenBAmount]
      : [pool.tokenBAmount, pool.tokenAAmount];
    return {
      feeIsOnInput,
      feeNumerator,
      moveByInput: (inRaw) => moveByProductOfInput(reserveIn, reserveOut, inRaw),
      moveByOutput: (outRaw) => moveByProductOfOutput(reserveIn, reserveOut, outRaw),
    };
  }
  return {
    feeIsOnInput,
    feeNumerator,
    moveByInput: (inRaw, mode) => moveOnRangeByInput(pool, isAToB, inRaw, mode),
    moveByOutput: (outRaw) => moveOnRangeByOutput(pool, isAToB, outRaw),
  };
}

/** Splits the fee and updates the pool's state. */
function settled(
  pool: DammPoolState,
  clock: PoolClock,
  { direction, hasReferral }: DammSwapRequest,
  amounts: SwapAmounts,
): DammSwap {
  const isAToB = direction === 'a_to_b';
  const { inExcludingFeeRaw, outRaw, feeRaw } = amounts;
  const feeSide = isAToB || pool.collectFeeMode !== collectFeeModes.outputToken ? 'b' : 'a';
  const feeIsOnInput = feeSide === 'b' && !isAToB;
  const shares = splitFee(
    feeRaw,
    BigInt(pool.protocolFeePercent),
    BigInt(pool.referralFeePercent),
    hasReferral,
  );
  const compoundingFeeRaw = (shares.restRaw * BigInt(pool.compoundingFeeBps)) / BASIS_POINTS;
  const claimingFeeRaw = shares.restRaw - compoundingFeeRaw;
  // The reserves hold no fee except the compounding part, which is always in token B.
  const moved = feeIsOnInput ? outRaw : outRaw + feeRaw;
  const tokenAAmount = asU64(isAToB ? pool.tokenAAmount + inExcludingFeeRaw : pool.tokenAAmount - moved);
  const tokenBMoved = asU64(isAToB ? pool.tokenBAmount - moved : pool.tokenBAmount + inExcludingFeeRaw);
  const tokenBAmount = asU64(tokenBMoved + compoundingFeeRaw);
  const nextSqrtPrice =
    pool.collectFeeMode === collectFeeModes.compounding
      ? priceOfReserves(tokenAAmount, tokenBAmount)
      : amounts.nextSqrtPrice;
  return {
    outcome: 'swapped',
    ...amounts,
    nextSqrtPrice,
    feeSide,
    claimingFeeRaw,
    compoundingFeeRaw,
    protocolFeeRaw: shares.protocolRaw,
    referralFeeRaw: shares.referralRaw,
    after: {
      sqrtPrice: nextSqrtPrice,
      tokenAAmount,
      tokenBAmount,
      ...feeCounters(pool, feeSide, shares.protocolRaw, claimingFeeRaw, compoundingFeeRaw),
      ...(pool.hasDynamicFee !== 0 &&
        volatilityAfter(pool, pool, clock.unixSeconds, pool.sqrtPrice, nextSqrtPrice)),
    },
  };
}

function feeCounters(
  pool: DammPoolState,
  side: 'a' | 'b',
  protocol: bigint,
  claiming: bigint,
  compounding: bigint,
): DammPoolChange {
  // Fees for each unit of liquidity are counted in units of 2^-128.
  const perLiquidity = (claiming << 128n) / pool.liquidity;
  if (side === 'a') {
    return {
      protocolAFee: pool.protocolAFee + protocol,
      totalProtocolAFee: pool.totalProtocolAFee + protocol,
      totalLpAFee: pool.totalLpAFee + claiming + compounding,
      feeAPerLiquidity: pool.feeAPerLiquidity + perLiquidity,
    };
  }
  return {
    protocolBFee: pool.protocolBFee + protocol,
    totalProtocolBFee: pool.totalProtocolBFee + protocol,
    totalLpBFee: pool.totalLpBFee + claiming + compounding,
    feeBPerLiquidity: pool.feeBPerLiquidity + perLiquidity,
  };
}
