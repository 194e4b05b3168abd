import {
  BASIS_POINTS,
  divideUp,
  integerSquareRoot,
  U64_MAX,
  U128_MAX,
} from '../../../../src/chain/pools/fixed-point.ts';
import { baseBetween, baseBetweenUp } from '../../../../src/chain/pools/sqrt-price.ts';
import { lesser } from '../amounts.ts';
import { requireCurve } from './curve-errors.ts';

/** The widest range of root prices, Q64.64, in both programs. */
export const SQRT_PRICE_MIN = 4_295_048_016n;
export const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n;

/** Liquidity that a compounding pool keeps for ever. */
const DEAD_LIQUIDITY = 100n << 64n;

/** How the migrated pool collects its fee; the AMM numbers the first two the other way round. */
export const migratedCollectFeeModes = { quoteToken: 0, outputToken: 1, compounding: 2 } as const;
export const dammCollectFeeModes = [1, 0, 2] as const;

interface Amounts {
  readonly base: bigint;
  readonly quote: bigint;
}

/** What a curve brings into its AMM pool, for either kind of pool. */
export interface MigrationLiquidity {
  /** Base that belongs to the quote, fixed when the config is made. */
  baseFor(quote: bigint): bigint;
  /** The protocol's part of what is moved. */
  protocolFee(moved: Amounts, basisPoints: bigint): Amounts;
  initial(deposit: Amounts): { sqrtPrice: bigint; distributable: bigint; dead: bigint };
  /** Liquidity for what the first position left over. */
  additional(rest: Amounts, pool: { tokenAAmount: bigint; tokenBAmount: bigint; liquidity: bigint }): bigint;
  readonly isCompounding: boolean;
}

/** @param migrationSqrtPrice where the curve is complete */
export function migrationLiquidity(isCompounding: boolean, migrationSqrtPrice: bigint): MigrationLiquidity {
  return isCompounding ? compounding(migrationSqrtPrice) : concentrated(migrationSqrtPrice);
}

function concentrated(price: bigint): MigrationLiquidity {
  const liquidityOf = (quote: bigint) => (quote << 128n) / (price - SQRT_PRICE_MIN);
  const liquidityFor = ({ base, quote }: Amounts) => {
    const fromBase = (base * price * SQRT_PRICE_MAX) / (SQRT_PRICE_MAX - price);
    const fromQuote = asU128(liquidityOf(quote));
    return lesser(fromBase, fromQuote);
  };
  return {
    isCompounding: false,
    baseFor: (quote) => baseBetweenUp(price, SQRT_PRICE_MAX, liquidityOf(quote)),
    protocolFee: ({ quote }, basisPoints) => {
      const fee = (quote * basisPoints) / BASIS_POINTS;
      return { base: baseBetween(price, SQRT_PRICE_MAX, liquidityOf(fee)), quote: fee };
    },
    initial: (deposit) => ({ sqrtPrice: price, distributable: liquidityFor(deposit), dead: 0n }),
    additional: (rest) => liquidityFor(rest),
  };
}

function compounding(price: bigint): MigrationLiquidity {
  return {
    isCompounding: true,
    baseFor: (quote) => divideUp(quote << 128n, price * price),
    protocolFee: ({ base, quote }, basisPoints) => ({
      base: (base * basisPoints) / BASIS_POINTS,
      quote: (quote * basisPoints) / BASIS_POINTS,
    }),
    initial: (deposit) => {
      const { sqrtPrice, total } = compoundingStart(deposit);
      requireCurve(total >= DEAD_LIQUIDITY, 'MathOverflow');
      return { sqrtPrice, distributable: total - DEAD_LIQUIDITY, dead: DEAD_LIQUIDITY };
    },
    additional: ({ base, quote }, pool) => {
      const fromBase = (base * pool.liquidity) / pool.tokenAAmount;
      const fromQuote = (quote * pool.liquidity) / pool.tokenBAmount;
      return lesser(fromBase, fromQuote);
    },
  };
}

/** The price is the root of quote over base, rounded up under the root; the liquidity goes by the lower one. */
function compoundingStart({ base, quote }: Amounts): { sqrtPrice: bigint; total: bigint } {
  requireCurve(base > 0n, 'MathOverflow');
  const sqrtPrice = integerSquareRoot(divideUp(quote << 128n, base));
  requireCurve(sqrtPrice >= SQRT_PRICE_MIN && sqrtPrice <= SQRT_PRICE_MAX, 'MathOverflow');
  return { sqrtPrice, total: asU128(integerSquareRoot((quote << 128n) / base) * base) };
}

/** A compounding pool must open within one percent of the curve's last price. */
export function requireCompoundingStart(deposit: Amounts, migrationSqrtPrice: bigint): void {
  const { sqrtPrice, total } = compoundingStart(deposit);
  requireCurve(total > DEAD_LIQUIDITY, 'InsufficientLiquidityForMigration');
  const [lower, upper] =
    sqrtPrice < migrationSqrtPrice ? [sqrtPrice, migrationSqrtPrice] : [migrationSqrtPrice, sqrtPrice];
  requireCurve((upper - lower) * 100n <= upper, 'InvalidCurve');
}

/** Quote that moves to the AMM, and what partner and creator keep of it. */
export function migrationQuote(threshold: bigint, feePercent: number): { quote: bigint; fee: bigint } {
  const quote = divideUp(threshold * BigInt(100 - feePercent), 100n);
  return { quote, fee: threshold - quote };
}

function asU128(value: bigint): bigint {
  requireCurve(value <= U128_MAX, 'TypeCastFailed');
  return value;
}

export function asCurveU64(value: bigint): bigint {
  requireCurve(value >= 0n && value <= U64_MAX, 'MathOverflow');
  return value;
}
