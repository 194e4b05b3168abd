import fc from 'fast-check';
import type { CurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import type { CurvePool } from '../../../src/chain/pools/curve/pool-account.ts';
import { U64_MAX } from '../../../src/chain/pools/fixed-point.ts';
import { quoteBetweenUp } from '../../../src/chain/pools/sqrt-price.ts';
import {
  AMOUNT_MAX,
  amountUpTo,
  curveFeeArbitrary,
  liquidityBetween,
  SETTLED_SECONDS,
  SETTLED_SLOT,
  SQRT_PRICE_MAX,
  volatilityArbitrary,
} from './pool-arbitraries.ts';

/** The state on which a curve's swaps depend. */
export type CurveConfigNumbers = Omit<Partial<CurveConfig>, 'curve'> & Pick<CurveConfig, 'curve'>;

export interface GeneratedCurve {
  config: CurveConfigNumbers;
  pool: Partial<CurvePool>;
}

const curveShape = fc.record({
  start: fc.bigInt({ min: 1n << 44n, max: 1n << 68n }),
  stretches: fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 3_000n }), amountUpTo(AMOUNT_MAX)), {
    minLength: 1,
    maxLength: 19,
  }),
  hasOpenEnd: fc.boolean(),
  /** In thousandths of the way from the start to the migration price. */
  at: fc.bigInt({ min: 0n, max: 999n }),
});

export const curveArbitrary: fc.Arbitrary<GeneratedCurve> = fc
  .record({
    shape: curveShape,
    fee: curveFeeArbitrary,
    volatility: volatilityArbitrary,
    collectFeeMode: fc.integer({ min: 0, max: 1 }),
    activationType: fc.integer({ min: 0, max: 1 }),
    creatorTradingFeePercent: fc.integer({ min: 0, max: 100 }),
    enableFirstSwapWithMinFee: fc.integer({ min: 0, max: 1 }),
    hasSwap: fc.integer({ min: 0, max: 1 }),
    age: fc.bigInt({ min: 0n, max: 150_000n }),
  })
  .map(({ shape, fee, volatility, hasSwap, age, ...settings }) => {
    const { curve, sqrtPrice, migrationSqrtPrice, quoteReserve, threshold } = curveOf(shape);
    // The limiter requires a fee in the quote token.
    const collectFeeMode = fee.baseFeeMode === 2 ? 0 : settings.collectFeeMode;
    return {
      config: {
        ...settings,
        ...fee,
        ...volatility.terms,
        collectFeeMode,
        hasDynamicFee: volatility.hasDynamicFee,
        sqrtStartPrice: shape.start,
        migrationSqrtPrice,
        migrationQuoteThreshold: threshold,
        curve,
      },
      pool: {
        sqrtPrice,
        quoteReserve,
        baseReserve: U64_MAX >> 1n,
        activationPoint: (settings.activationType === 0 ? SETTLED_SLOT : SETTLED_SECONDS) - age,
        hasSwap,
        volatilityAccumulator: volatility.volatilityAccumulator,
        sqrtPriceReference: sqrtPrice,
      },
    };
  });

type CurveShape = typeof curveShape extends fc.Arbitrary<infer Shape> ? Shape : never;

function curveOf({ start, stretches, hasOpenEnd, at }: CurveShape) {
  let lower = start;
  const curve = stretches.map(([rise, quoteRaw]) => {
    const from = lower;
    lower += (lower * rise) / 1_000n + 1n;
    return { sqrtPrice: lower, liquidity: liquidityBetween(from, lower, quoteRaw) };
  });
  const migrationSqrtPrice = lower;
  if (hasOpenEnd)
    curve.push({ sqrtPrice: SQRT_PRICE_MAX, liquidity: liquidityBetween(lower, lower * 2n, 10n ** 9n) });
  const sqrtPrice = start + ((migrationSqrtPrice - start) * at) / 1_000n;
  const quoteUpTo = (price: bigint) =>
    curve.reduce((sum, { sqrtPrice: upper, liquidity }, index) => {
      const from = curve[index - 1]?.sqrtPrice ?? start;
      const to = upper < price ? upper : price;
      return from < to ? sum + quoteBetweenUp(from, to, liquidity) : sum;
    }, 0n);
  const quoteReserve = quoteUpTo(sqrtPrice);
  const threshold = quoteUpTo(migrationSqrtPrice);
  return { curve, sqrtPrice, migrationSqrtPrice, quoteReserve, threshold };
}
