import { priceOfReserves } from '../../../../src/chain/pools/damm/damm-liquidity.ts';
import {
  BASIS_POINTS,
  divideUp,
  integerSquareRoot,
  U128_MAX,
} from '../../../../src/chain/pools/fixed-point.ts';
import { baseBetween, baseBetweenUp } from '../../../../src/chain/pools/sqrt-price.ts';
import { DEAD_LIQUIDITY, lesser, SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { requireCurve } from './curve-errors.ts';

// The formulas, their rounding and their source: docs/pools.md#migration.

/** The AMM pool that a curve goes to. */
export interface MigrationTarget {
  /** Root price at which the curve is complete, Q64.64. */
  readonly sqrtPrice: bigint;
  /** A compounding pool has no range of prices; any other has the widest. */
  readonly isCompounding: boolean;
}

/** Raw amounts of both tokens. */
export interface TokenPair {
  readonly base: bigint;
  readonly quote: bigint;
}

/**
 * Splits the curve's quote threshold.
 * @param feePercent part for partner and creator
 */
export function splitThreshold(threshold: bigint, feePercent: number): { moved: bigint; fee: bigint } {
  const moved = divideUp(threshold * BigInt(100 - feePercent), 100n);
  return { moved, fee: threshold - moved };
}

/** Base tokens that a pool needs beside `quote` to open at the target's price. */
export function baseBeside(quote: bigint, { sqrtPrice, isCompounding }: MigrationTarget): bigint {
  if (isCompounding) return divideUp(quote << 128n, sqrtPrice ** 2n);
  return baseBetweenUp(sqrtPrice, SQRT_PRICE_MAX, liquidityOfQuote(quote, sqrtPrice));
}

/** The protocol's part of what the curve brings. */
export function protocolPart(
  { base, quote }: TokenPair,
  basisPoints: bigint,
  { sqrtPrice, isCompounding }: MigrationTarget,
): TokenPair {
  const partOf = (amount: bigint) => (amount * basisPoints) / BASIS_POINTS;
  if (isCompounding) return { base: partOf(base), quote: partOf(quote) };
  const liquidity = liquidityOfQuote(partOf(quote), sqrtPrice);
  return { base: baseBetween(sqrtPrice, SQRT_PRICE_MAX, liquidity), quote: partOf(quote) };
}

export interface PoolOpening {
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
  /** The part of the liquidity that no position gets. */
  readonly dead: bigint;
}

/** Price and liquidity of the pool that the curve's tokens open. */
export function openingOf(tokens: TokenPair, { sqrtPrice, isCompounding }: MigrationTarget): PoolOpening {
  if (!isCompounding) return { sqrtPrice, liquidity: liquidityInRange(tokens, sqrtPrice), dead: 0n };
  const { base, quote } = tokens;
  requireCurve(base > 0n, 'MathOverflow');
  const price = integerSquareRoot(divideUp(quote << 128n, base));
  requireCurve(price >= SQRT_PRICE_MIN && price <= SQRT_PRICE_MAX, 'MathOverflow');
  return { sqrtPrice: price, liquidity: asU128(priceOfReserves(base, quote) * base), dead: DEAD_LIQUIDITY };
}

/** A curve is refused whose compounding pool would open more than one percent away from its last price. */
export function requireOpeningNearCurve(tokens: TokenPair, target: MigrationTarget): void {
  const { sqrtPrice, liquidity } = openingOf(tokens, target);
  requireCurve(liquidity > DEAD_LIQUIDITY, 'InsufficientLiquidityForMigration');
  const lower = lesser(sqrtPrice, target.sqrtPrice);
  const upper = sqrtPrice + target.sqrtPrice - lower;
  requireCurve((upper - lower) * 100n <= upper, 'InvalidCurve');
}

/** Liquidity that a second position can have for the tokens that the first one left over. */
export function liquidityOfRest(
  rest: TokenPair,
  target: MigrationTarget,
  pool: { readonly tokenAAmount: bigint; readonly tokenBAmount: bigint; readonly liquidity: bigint },
): bigint {
  if (!target.isCompounding) return liquidityInRange(rest, target.sqrtPrice);
  return lesser(
    (rest.base * pool.liquidity) / pool.tokenAAmount,
    (rest.quote * pool.liquidity) / pool.tokenBAmount,
  );
}

/** In a pool of the widest range, the scarcer token decides. */
function liquidityInRange({ base, quote }: TokenPair, sqrtPrice: bigint): bigint {
  const ofBase = (base * sqrtPrice * SQRT_PRICE_MAX) / (SQRT_PRICE_MAX - sqrtPrice);
  return lesser(ofBase, asU128(liquidityOfQuote(quote, sqrtPrice)));
}

function liquidityOfQuote(quote: bigint, sqrtPrice: bigint): bigint {
  return (quote << 128n) / (sqrtPrice - SQRT_PRICE_MIN);
}

function asU128(value: bigint): bigint {
  requireCurve(value <= U128_MAX, 'TypeCastFailed');
  return value;
}
