import fc from 'fast-check';
import { ONE_Q64 } from '../../../src/chain/pools/fixed-point.ts';
import type { PoolClock, SwapTerms } from '../../../src/chain/pools/swap-request.ts';
import type { VolatilityTerms } from '../../../src/chain/pools/volatility.ts';

/** Lowest and highest root price of both programs. */
export const SQRT_PRICE_MIN = 4295048016n;
export const SQRT_PRICE_MAX = 79226673521066979257578248091n;
/** The maximum amount of a token in a generated pool. It is far below 64 bits, so that swaps seldom
 * overflow. */
export const AMOUNT_MAX = 10n ** 15n;
export const SETTLED_SLOT = 480_000_000n;
export const SETTLED_SECONDS = 1_800_000_000n;

/** Amounts of every size, small ones as often as large ones. */
export function amountUpTo(max: bigint): fc.Arbitrary<bigint> {
  const bits = max.toString(2).length;
  return fc
    .tuple(fc.integer({ min: 1, max: bits }), fc.bigInt({ min: 0n, max }))
    .map(([kept, amount]) => amount >> BigInt(bits - kept) || 1n);
}

export const clockArbitrary: fc.Arbitrary<PoolClock> = fc.record({
  slot: fc.bigInt({ min: SETTLED_SLOT, max: SETTLED_SLOT + 200_000n }),
  unixSeconds: fc.bigInt({ min: SETTLED_SECONDS, max: SETTLED_SECONDS + 200_000n }),
});

export const swapTermsArbitrary: fc.Arbitrary<SwapTerms> = fc.record({
  mode: fc.constantFrom('exact_in', 'partial_fill', 'exact_out'),
  amountRaw: amountUpTo(10n ** 17n),
  limitRaw: fc.constant(null),
  hasReferral: fc.boolean(),
  provesSingleSwap: fc.constant(true),
});

interface FeeFactors {
  cliffFeeNumerator: bigint;
  firstFactor: number;
  secondFactor: bigint;
  thirdFactor: bigint;
  baseFeeMode: number;
}

const cliff = fc.bigInt({ min: 2_500_000n, max: 600_000_000n });
const periods = fc.integer({ min: 0, max: 200 });

/** Steps that never reduce the fee below zero. An exponential fee stays above zero after all of them. */
function stepFactors(mode: number, isExponential: boolean, secondFactor: fc.Arbitrary<bigint>) {
  return fc
    .record({
      cliffFeeNumerator: cliff,
      firstFactor: periods,
      secondFactor,
      share: fc.integer({ min: 0, max: 500 }),
    })
    .map(({ share, ...fee }): FeeFactors => {
      const perStep = fee.cliffFeeNumerator / BigInt(Math.max(1, fee.firstFactor));
      const thirdFactor = isExponential ? BigInt(share) : (perStep * BigInt(share)) / 500n;
      return { ...fee, thirdFactor, baseFeeMode: mode };
    });
}

const stepLength = fc.bigInt({ min: 1n, max: 5_000n });
const limiterFactors = (secondFactor: fc.Arbitrary<bigint>) =>
  fc.record({
    cliffFeeNumerator: fc.bigInt({ min: 2_500_000n, max: 300_000_000n }),
    firstFactor: fc.integer({ min: 1, max: 5_000 }),
    secondFactor,
    thirdFactor: amountUpTo(10n ** 14n),
    baseFeeMode: fc.constant(2),
  });

export const curveFeeArbitrary: fc.Arbitrary<FeeFactors> = fc.oneof(
  stepFactors(0, false, stepLength),
  stepFactors(1, true, stepLength),
  limiterFactors(fc.bigInt({ min: 1n, max: 100_000n })),
);

const twoHalves = (low: fc.Arbitrary<number>, high: fc.Arbitrary<number>) =>
  fc.tuple(low, high).map(([lowHalf, highHalf]) => BigInt(lowHalf) + (BigInt(highHalf) << 32n));
const marketCapHalves = twoHalves(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 400_000 }));

export const dammFeeArbitrary: fc.Arbitrary<FeeFactors> = fc.oneof(
  stepFactors(0, false, stepLength),
  stepFactors(1, true, stepLength),
  limiterFactors(twoHalves(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 4_000, max: 9_900 }))),
  stepFactors(3, false, marketCapHalves),
  stepFactors(4, true, marketCapHalves),
);

/** The only bin step that programs accept, and a volatility within its limits. */
export const volatilityArbitrary = fc
  .record({
    hasDynamicFee: fc.integer({ min: 0, max: 1 }),
    maxVolatilityAccumulator: fc.integer({ min: 1, max: 14_460_000 }),
    variableFeeControl: fc.integer({ min: 1, max: 100_000 }),
    share: fc.integer({ min: 0, max: 1_000 }),
  })
  .map(({ hasDynamicFee, share, ...terms }) => {
    if (hasDynamicFee === 0) return { hasDynamicFee, terms: noVolatility, volatilityAccumulator: 0n };
    return {
      hasDynamicFee,
      terms: {
        ...noVolatility,
        ...terms,
        binStep: 1,
        filterPeriod: 10,
        decayPeriod: 120,
        reductionFactor: 5_000,
        binStepQ64: ONE_Q64 / 10_000n,
      },
      volatilityAccumulator: BigInt(Math.floor((terms.maxVolatilityAccumulator * share) / 1_000)),
    };
  });

const noVolatility: VolatilityTerms = {
  maxVolatilityAccumulator: 0,
  variableFeeControl: 0,
  binStep: 0,
  filterPeriod: 0,
  decayPeriod: 0,
  reductionFactor: 0,
  binStepQ64: 0n,
};

/** Liquidity with `quoteRaw` between two prices, or less when the base tokens would not fit into 64 bits. */
export function liquidityBetween(lower: bigint, upper: bigint, quoteRaw: bigint): bigint {
  const mostByBase = ((AMOUNT_MAX << 6n) * lower * upper) / (upper - lower);
  const byQuote = (quoteRaw << 128n) / (upper - lower);
  const liquidity = byQuote < mostByBase ? byQuote : mostByBase;
  return liquidity > 0n ? liquidity : 1n;
}
