import { U64_MAX } from '../fixed-point.ts';
import type { FailedSwap } from '../swap-refusal.ts';
import type { CurveConfig } from './config-account.ts';
import type { CurveErrorName } from './curve-errors.ts';
import { type CurveSwap, quoteCurveSwap } from './curve-swap.ts';
import { curveTerms } from './curve-terms.ts';
import { launchSupplyRaw } from './launch-supply.ts';
import { type CurvePool, curvePoolShape, readCurvePool } from './pool-account.ts';

/**
 * A buy in the transaction that creates the pool. Its terms are known in advance: the pool is at its start
 * price and was created in the same second. Only another config account could change the result.
 *
 * @param lamports amount that goes in, fee included
 */
export function quoteFirstBuy(
  config: CurveConfig,
  lamports: bigint,
  mode: 'exact_in' | 'partial_fill',
): CurveSwap | FailedSwap<CurveErrorName> {
  return quoteCurveSwap(curveTerms(config), newPool(config), atCreation, {
    side: 'buy',
    mode,
    amountRaw: lamports,
    limitRaw: null,
    hasReferral: false,
    provesSingleSwap: true,
    isFirstSwapAtLaunch: true,
  });
}

/** The largest amount, fee included, that a first buy can spend; 0 when the curve takes none. */
export function largestFirstBuy(config: CurveConfig): bigint {
  const most = quoteFirstBuy(config, U64_MAX, 'partial_fill');
  return most.outcome === 'failed' ? 0n : most.inRaw;
}

/** Schedules count from the activation point, which is 0 here as well. */
const atCreation = { slot: 0n, unixSeconds: 0n };

/** A new pool as the program writes it: all fields are zero, except price and reserve. */
function newPool(config: CurveConfig): CurvePool {
  const { program, bytesMin, discriminators } = curvePoolShape;
  const data = Buffer.alloc(bytesMin);
  data.write(discriminators[0] ?? '', 'hex');
  const empty = readCurvePool({ owner: program, data });
  if (empty === null) throw new Error('an empty pool could not be read');
  return { ...empty, sqrtPrice: config.sqrtStartPrice, baseReserve: launchSupplyRaw(config) };
}
