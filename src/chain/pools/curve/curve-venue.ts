import type { PriceMove, SwapVenue } from '../swap-amounts.ts';
import { SwapRefusal } from '../swap-refusal.ts';
import type { PoolClock } from '../swap-request.ts';
import type { CurveErrorName } from './curve-errors.ts';
import { curveFeeNumerator } from './curve-fee.ts';
import type { CurveSwapRequest } from './curve-request.ts';
import type { CurveTerms } from './curve-terms.ts';
import { buyByInput, buyByOutput, sellByInput, sellByOutput } from './curve-walk.ts';
import type { CurvePool } from './pool-account.ts';

/** The curve as one swap sees it. Buys stop at the migration price, sells at the start price. */
export function curveVenue(
  terms: CurveTerms,
  pool: CurvePool,
  clock: PoolClock,
  request: CurveSwapRequest,
): SwapVenue {
  const { stretches, migrationSqrtPrice, takesFeeFromOutput } = terms;
  const { sqrtPrice } = pool;
  const isBuy = request.side === 'buy';
  return {
    feeIsOnInput: isBuy && !takesFeeFromOutput,
    feeNumerator: (raw, isNet) => curveFeeNumerator(terms, pool, clock, request, raw, isNet),
    moveByInput: (inRaw, mode) => {
      const move = isBuy
        ? buyByInput(stretches, sqrtPrice, inRaw, migrationSqrtPrice)
        : sellByInput(stretches, sqrtPrice, inRaw);
      return mode === 'exact_in' ? complete(move, 'InsufficientLiquidity') : move;
    },
    moveByOutput: (outRaw) => {
      if (!isBuy) return complete(sellByOutput(stretches, sqrtPrice, outRaw), 'InsufficientLiquidity');
      const move = complete(buyByOutput(stretches, sqrtPrice, outRaw), 'NotEnoughLiquidity');
      // The curve may continue above the migration price, but swaps do not.
      if (move.nextSqrtPrice > migrationSqrtPrice) refuse('InsufficientLiquidity');
      return move;
    },
  };
}

function complete(move: PriceMove, errorName: CurveErrorName): PriceMove {
  if (move.leftRaw > 0n) refuse(errorName);
  return move;
}

function refuse(name: CurveErrorName): never {
  throw new SwapRefusal<CurveErrorName>(name);
}
