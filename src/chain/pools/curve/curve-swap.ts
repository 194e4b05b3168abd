import { asU64 } from '../fixed-point.ts';
import { amountsByInput, amountsByOutput, isWithinLimit, type SwapAmounts } from '../swap-amounts.ts';
import { type FailedSwap, failureOf, SwapRefusal } from '../swap-refusal.ts';
import type { PoolClock } from '../swap-request.ts';
import { splitFee } from '../trading-fee.ts';
import { volatilityAfter } from '../volatility.ts';
import { type CurveErrorName, curveErrors } from './curve-errors.ts';
import { isRateLimited } from './curve-fee.ts';
import type { CurveSwapRequest } from './curve-request.ts';
import type { CurveTerms } from './curve-terms.ts';
import { curveVenue } from './curve-venue.ts';
import type { CurvePool } from './pool-account.ts';

/** Fields of the pool account that a swap changes. */
export type CurvePoolChange = Partial<CurvePool>;

/** The result of a swap as the program computes it. */
export interface CurveSwap extends SwapAmounts {
  outcome: 'swapped';
  feeSide: 'base' | 'quote';
  /** The trading fee of partner and creator together. */
  tradingFeeRaw: bigint;
  partnerFeeRaw: bigint;
  creatorFeeRaw: bigint;
  protocolFeeRaw: bigint;
  /** Paid to the referral at once. Every other fee stays in the vault until its owner claims it. */
  referralFeeRaw: bigint;
  completesCurve: boolean;
  after: CurvePoolChange;
}

/** The share of the program in each trading fee. */
export const PROTOCOL_PERCENT = 20n;
const REFERRAL_PERCENT = 20n;

/** Computes what the program does with a swap: it carries the swap out, or fails with an error of its own. */
export function quoteCurveSwap(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  request: CurveSwapRequest,
): CurveSwap | FailedSwap<CurveErrorName> {
  try {
    return swap(terms, pool, clock, request);
  } catch (thrown) {
    return failureOf(thrown, curveErrors);
  }
}

function swap(terms: CurveTerms, pool: CurvePool, clock: PoolClock, request: CurveSwapRequest): CurveSwap {
  if (request.amountRaw === 0n) refuse('AmountIsZero');
  if (!request.provesSingleSwap && isRateLimited(terms, pool, clock, request.side)) {
    refuse('FailToValidateSingleSwapInstruction');
  }
  if (pool.quoteReserve >= terms.migrationQuoteThreshold) refuse('PoolIsCompleted');
  const venue = curveVenue(terms, pool, clock, request);
  const { mode, amountRaw, limitRaw } = request;
  const amounts =
    mode === 'exact_out' ? amountsByOutput(venue, amountRaw) : amountsByInput(venue, mode, amountRaw);
  if (!isWithinLimit(amounts, mode, limitRaw)) refuse('ExceededSlippage');
  return settled(terms, pool, clock, request, amounts);
}

function refuse(name: CurveErrorName): never {
  throw new SwapRefusal<CurveErrorName>(name);
}

/** Splits the fee and updates the pool's state. */
function settled(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  { side, hasReferral }: CurveSwapRequest,
  amounts: SwapAmounts,
): CurveSwap {
  const { inExcludingFeeRaw, outRaw, feeRaw, nextSqrtPrice } = amounts;
  const feeSide = side === 'buy' && terms.takesFeeFromOutput ? 'base' : 'quote';
  const shares = splitFee(feeRaw, PROTOCOL_PERCENT, REFERRAL_PERCENT, hasReferral);
  const creatorFeeRaw = (shares.restRaw * terms.creatorPercent) / 100n;
  const fees = {
    protocolFeeRaw: shares.protocolRaw,
    referralFeeRaw: shares.referralRaw,
    creatorFeeRaw,
    partnerFeeRaw: shares.restRaw - creatorFeeRaw,
  };
  // The reserves hold no fee. A fee on the input never enters them, a fee on the output leaves them.
  const movedOut = side === 'buy' && feeSide === 'quote' ? outRaw : outRaw + feeRaw;
  const sign = side === 'buy' ? 1n : -1n;
  const [quoteMoved, baseMoved] =
    side === 'buy' ? [inExcludingFeeRaw, movedOut] : [movedOut, inExcludingFeeRaw];
  const quoteReserve = asU64(pool.quoteReserve + sign * quoteMoved);
  const completesCurve = quoteReserve >= terms.migrationQuoteThreshold;
  return {
    outcome: 'swapped',
    ...amounts,
    feeSide,
    tradingFeeRaw: shares.restRaw,
    ...fees,
    completesCurve,
    after: {
      baseReserve: asU64(pool.baseReserve - sign * baseMoved),
      quoteReserve,
      sqrtPrice: nextSqrtPrice,
      hasSwap: 1,
      ...feeCounters(pool, feeSide, fees),
      ...(terms.dynamicFee !== null &&
        volatilityAfter(terms.dynamicFee, pool, clock.unixSeconds, pool.sqrtPrice, nextSqrtPrice)),
      ...(completesCurve && {
        finishCurveTimestamp: clock.unixSeconds,
        migrationProgress: terms.progressWhenComplete,
      }),
    },
  };
}

function feeCounters(
  pool: CurvePool,
  side: 'base' | 'quote',
  fee: Pick<CurveSwap, 'protocolFeeRaw' | 'partnerFeeRaw' | 'creatorFeeRaw'>,
): CurvePoolChange {
  const { protocolFeeRaw: protocol, partnerFeeRaw: partner, creatorFeeRaw: creator } = fee;
  if (side === 'base') {
    return {
      protocolBaseFee: pool.protocolBaseFee + protocol,
      partnerBaseFee: pool.partnerBaseFee + partner,
      creatorBaseFee: pool.creatorBaseFee + creator,
      totalProtocolBaseFee: pool.totalProtocolBaseFee + protocol,
      totalTradingBaseFee: pool.totalTradingBaseFee + partner + creator,
    };
  }
  return {
    protocolQuoteFee: pool.protocolQuoteFee + protocol,
    partnerQuoteFee: pool.partnerQuoteFee + partner,
    creatorQuoteFee: pool.creatorQuoteFee + creator,
    totalProtocolQuoteFee: pool.totalProtocolQuoteFee + protocol,
    totalTradingQuoteFee: pool.totalTradingQuoteFee + partner + creator,
  };
}
