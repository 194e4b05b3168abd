import fc from 'fast-check';
import { priceOfReserves } from '../../../src/chain/pools/damm/damm-liquidity.ts';
import type { DammPoolState } from '../../../src/chain/pools/damm/pool-account.ts';
import { U128_MAX } from '../../../src/chain/pools/fixed-point.ts';
import { baseBetweenUp, quoteBetweenUp } from '../../../src/chain/pools/sqrt-price.ts';
import {
  AMOUNT_MAX,
  amountUpTo,
  dammFeeArbitrary,
  liquidityBetween,
  SETTLED_SECONDS,
  SETTLED_SLOT,
  SQRT_PRICE_MAX,
  SQRT_PRICE_MIN,
  volatilityArbitrary,
} from './pool-arbitraries.ts';

/** The price and the reserves of the pool. */
type Holdings = Pick<
  DammPoolState,
  'sqrtPrice' | 'sqrtMinPrice' | 'sqrtMaxPrice' | 'liquidity' | 'tokenAAmount' | 'tokenBAmount'
>;

const COMPOUNDING = 2;

/** The whole range of prices, or a narrow one around the price. */
const onRange: fc.Arbitrary<Holdings> = fc
  .record({
    sqrtPrice: fc.bigInt({ min: 1n << 48n, max: 1n << 80n }),
    below: fc.bigInt({ min: 1n, max: 900n }),
    above: fc.bigInt({ min: 1n, max: 3_000n }),
    isWhole: fc.boolean(),
    quoteRaw: amountUpTo(AMOUNT_MAX),
  })
  .map(({ sqrtPrice, below, above, isWhole, quoteRaw }) => {
    const sqrtMinPrice = isWhole ? SQRT_PRICE_MIN : sqrtPrice - (sqrtPrice * below) / 1_000n;
    const sqrtMaxPrice = isWhole ? SQRT_PRICE_MAX : sqrtPrice + (sqrtPrice * above) / 1_000n;
    const liquidity = liquidityBetween(sqrtPrice, sqrtPrice * 2n, quoteRaw);
    return {
      sqrtPrice,
      sqrtMinPrice,
      sqrtMaxPrice,
      liquidity,
      tokenAAmount: baseBetweenUp(sqrtPrice, sqrtMaxPrice, liquidity),
      tokenBAmount: quoteBetweenUp(sqrtMinPrice, sqrtPrice, liquidity),
    };
  });

const byReserves: fc.Arbitrary<Holdings> = fc
  .record({
    tokenAAmount: amountUpTo(AMOUNT_MAX),
    tokenBAmount: amountUpTo(AMOUNT_MAX),
    liquidity: amountUpTo(U128_MAX),
  })
  .map((reserves) => ({
    ...reserves,
    sqrtPrice: priceOfReserves(reserves.tokenAAmount, reserves.tokenBAmount),
    sqrtMinPrice: 0n,
    sqrtMaxPrice: U128_MAX,
  }));

/** The numbers of a pool on which a swap depends. All others are zero. */
export const dammPoolArbitrary: fc.Arbitrary<Partial<DammPoolState>> = fc
  .record({
    fee: dammFeeArbitrary,
    volatility: volatilityArbitrary,
    collectFeeMode: fc.integer({ min: 0, max: COMPOUNDING }),
    range: onRange,
    reserves: byReserves,
    compoundingFeeBps: fc.integer({ min: 1, max: 10_000 }),
    /** The initial price in thousandths. */
    init: fc.bigInt({ min: 1n, max: 1_500n }),
    activationType: fc.integer({ min: 0, max: 1 }),
    age: fc.bigInt({ min: -1_000n, max: 150_000n }),
    feeVersion: fc.integer({ min: 0, max: 1 }),
    referralFeePercent: fc.integer({ min: 0, max: 100 }),
    protocolFeePercent: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ fee, volatility, range, reserves, init, age, compoundingFeeBps, ...settings }) => {
    // The limiter requires a fee in token B.
    const collectFeeMode =
      fee.baseFeeMode === 2 && settings.collectFeeMode === 0 ? 1 : settings.collectFeeMode;
    const isCompounding = collectFeeMode === COMPOUNDING;
    const holdings = isCompounding ? reserves : range;
    return {
      ...settings,
      ...fee,
      ...volatility.terms,
      ...holdings,
      collectFeeMode,
      compoundingFeeBps: isCompounding ? compoundingFeeBps : 0,
      hasDynamicFee: volatility.hasDynamicFee,
      volatilityAccumulator: volatility.volatilityAccumulator,
      sqrtPriceReference: holdings.sqrtPrice,
      initSqrtPrice: (holdings.sqrtPrice * init) / 1_000n || 1n,
      activationPoint: (settings.activationType === 0 ? SETTLED_SLOT : SETTLED_SECONDS) - age,
      layoutVersion: 1,
    };
  });
