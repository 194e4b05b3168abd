import { priceOfReserves } from '../../../../src/chain/pools/damm/damm-liquidity.ts';
import type { DammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import { divideUp, U64_MAX, U128_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import {
  baseBetween,
  baseBetweenUp,
  quoteBetween,
  quoteBetweenUp,
} from '../../../../src/chain/pools/sqrt-price.ts';
import { DEAD_LIQUIDITY } from '../pool-numbers.ts';
import { requireAmm } from './amm-errors.ts';

export const collectFeeModes = { outputToken: 0, tokenB: 1, compounding: 2 } as const;

interface Amounts {
  readonly a: bigint;
  readonly b: bigint;
}

/** Tokens for a piece of liquidity, rounded in the pool's favour: up when it is added, down when it is removed. */
export function amountsFor(pool: DammPoolState, delta: bigint, rounding: 'up' | 'down'): Amounts {
  if (pool.collectFeeMode === collectFeeModes.compounding) {
    const part = (reserve: bigint) =>
      rounding === 'up' ? divideUp(delta * reserve, pool.liquidity) : (delta * reserve) / pool.liquidity;
    return requireU64({ a: part(pool.tokenAAmount), b: part(pool.tokenBAmount) });
  }
  const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice } = pool;
  const [amountA, amountB] =
    rounding === 'up' ? [baseBetweenUp, quoteBetweenUp] : [baseBetween, quoteBetween];
  return requireU64({
    a: amountA(sqrtPrice, sqrtMaxPrice, delta),
    b: amountB(sqrtMinPrice, sqrtPrice, delta),
  });
}

interface Opening {
  readonly collectFeeMode: number;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
}

/** What a new pool holds, and the liquidity of its first position. */
export function openingAmounts(
  opening: Opening,
): Amounts &
  Pick<Opening, 'sqrtPrice' | 'sqrtMinPrice' | 'sqrtMaxPrice'> & { readonly positionLiquidity: bigint } {
  const { sqrtPrice, liquidity, sqrtMinPrice, sqrtMaxPrice } = opening;
  if (opening.collectFeeMode === collectFeeModes.compounding) {
    requireAmm(liquidity > DEAD_LIQUIDITY, 'InvalidMinimumLiquidity');
    const amounts = requireU64({
      a: divideUp(liquidity, sqrtPrice),
      b: divideUp(liquidity * sqrtPrice, 1n << 128n),
    });
    return {
      ...amounts,
      sqrtPrice: priceOfReserves(amounts.a, amounts.b),
      sqrtMinPrice: 0n,
      sqrtMaxPrice: U128_MAX,
      positionLiquidity: liquidity - DEAD_LIQUIDITY,
    };
  }
  const amounts = requireU64({
    a: baseBetweenUp(sqrtPrice, sqrtMaxPrice, liquidity),
    b: quoteBetweenUp(sqrtMinPrice, sqrtPrice, liquidity),
  });
  return { ...amounts, sqrtPrice, sqrtMinPrice, sqrtMaxPrice, positionLiquidity: liquidity };
}

function requireU64(amounts: Amounts): Amounts {
  requireAmm(amounts.a <= U64_MAX && amounts.b <= U64_MAX, 'MathOverflow');
  return amounts;
}
