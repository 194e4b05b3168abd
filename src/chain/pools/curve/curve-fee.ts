import { FEE_NUMERATOR_MAX, numeratorByTime } from '../base-fee.ts';
import { isLimiting, numeratorOfNet, numeratorOfPaid } from '../rate-limiter-fee.ts';
import { type PoolClock, pointOf } from '../swap-request.ts';
import { variableFeeNumerator } from '../volatility.ts';
import type { CurveSwapRequest } from './curve-request.ts';
import type { CurveTerms } from './curve-terms.ts';
import type { CurvePool } from './pool-account.ts';

/** Whether the fee depends on the amount: a rate limiter is in force, and the swap is a buy. */
export function isRateLimited(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  side: 'buy' | 'sell',
): boolean {
  const { baseFee } = terms;
  if (side === 'sell' || baseFee.kind !== 'rate_limiter') return false;
  return isLimiting(baseFee, pointOf(clock, terms.activationType), pool.activationPoint);
}

/**
 * The whole fee as a numerator, for an amount that includes the fee, or (`isNet`) for an amount after the fee.
 */
export function curveFeeNumerator(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  request: CurveSwapRequest,
  raw: bigint,
  isNet: boolean,
): bigint {
  // A favoured first swap pays the lowest base fee. It pays nothing for volatility, because there is none
  // yet.
  if (terms.favoursFirstSwap && request.isFirstSwapAtLaunch && pool.hasSwap === 0)
    return terms.leastBaseNumerator;
  const variable =
    terms.dynamicFee === null ? 0n : variableFeeNumerator(terms.dynamicFee, pool.volatilityAccumulator);
  const total = baseNumerator(terms, pool, clock, request, raw, isNet) + variable;
  return total < FEE_NUMERATOR_MAX ? total : FEE_NUMERATOR_MAX;
}

function baseNumerator(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  request: CurveSwapRequest,
  raw: bigint,
  isNet: boolean,
): bigint {
  const { baseFee } = terms;
  if (baseFee.kind === 'rate_limiter') {
    if (!isRateLimited(terms, pool, clock, request.side)) return baseFee.startNumerator;
    return isNet ? numeratorOfNet(baseFee, raw) : numeratorOfPaid(baseFee, raw);
  }
  if (baseFee.kind !== 'time_schedule') throw new Error('curves have no fee schedule by market cap');
  return numeratorByTime(baseFee, pointOf(clock, terms.activationType), pool.activationPoint);
}
