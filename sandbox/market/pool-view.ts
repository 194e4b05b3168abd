import { quoteCurveSwap } from '../../src/chain/pools/curve/curve-swap.ts';
import type { CurveTerms } from '../../src/chain/pools/curve/curve-terms.ts';
import type { CurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { quoteDammSwap } from '../../src/chain/pools/damm/damm-swap.ts';
import type { DammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import type { PoolClock } from '../../src/chain/pools/swap-request.ts';
import type { SwapOrder } from './pool-instructions.ts';

/** The pool of a token as a trader sees it before an order. */
export interface PoolView {
  readonly isMigrated: boolean;
  readonly reserveLamports: bigint;
  /** The SOL of a pool that moves alike without bounds: a buy of one percent of it raises the price by two. */
  readonly depthLamports: bigint;
  /** The most that the pool takes of a buy. A larger buy is filled in part. */
  readonly mostLamports: bigint | null;
  /** The output of the order now; null when the program would refuse it. */
  outOf(order: Omit<SwapOrder, 'limitRaw'>): bigint | null;
}

const free = { limitRaw: null, hasReferral: false, provesSingleSwap: false } as const;

export function curveView(terms: CurveTerms, pool: CurvePool, clock: PoolClock): PoolView {
  return {
    isMigrated: false,
    reserveLamports: pool.quoteReserve,
    depthLamports: depthOf(liquidityAt(terms, pool.sqrtPrice), pool.sqrtPrice),
    mostLamports: terms.migrationQuoteThreshold - pool.quoteReserve,
    outOf: (order) => {
      const quote = quoteCurveSwap(terms, pool, clock, { ...order, ...free, isFirstSwapAtLaunch: false });
      return quote.outcome === 'swapped' ? quote.outRaw : null;
    },
  };
}

export function ammView(pool: DammPoolState, clock: PoolClock): PoolView {
  return {
    isMigrated: true,
    reserveLamports: pool.tokenBAmount,
    depthLamports: depthOf(pool.liquidity, pool.sqrtPrice),
    mostLamports: null,
    outOf: ({ side, mode, amountRaw }) => {
      const direction = side === 'buy' ? 'b_to_a' : 'a_to_b';
      const quote = quoteDammSwap(pool, clock, { direction, mode, amountRaw, ...free });
      return quote.outcome === 'swapped' ? quote.outRaw : null;
    },
  };
}

function liquidityAt({ stretches }: CurveTerms, sqrtPrice: bigint): bigint {
  return stretches.find(({ upper }) => sqrtPrice < upper)?.liquidity ?? 0n;
}

/** Liquidity and price are Q64.64. */
function depthOf(liquidity: bigint, sqrtPrice: bigint): bigint {
  return (liquidity * sqrtPrice) >> 128n;
}
