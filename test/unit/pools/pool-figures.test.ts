import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { curveCapacity } from '../../../src/chain/pools/curve/curve-capacity.ts';
import { quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import { readDammPoolState } from '../../../src/chain/pools/damm/pool-account.ts';
import {
  inverted,
  quotePerBase,
  shortfallBps,
  wholeTokenPrice,
} from '../../../src/chain/pools/spot-price.ts';
import type { SwapMode } from '../../../src/chain/pools/swap-request.ts';
import { readPoolHistories } from '../../support/pools/pool-histories.ts';
import { generatedCurve } from '../../support/pools/pool-markets.ts';

const SOL_DECIMALS = 9;

describe('the spot price', () => {
  test.each([
    ['a-spl-output-fee-dynamic', 6, false],
    ['b-token2022-quote-fee-vesting', 9, false],
    ['c-compounding', 6, false],
    ['d-sol-is-token-a', 9, true],
  ])('of the AMM pool of %s is the recorded one after its last swap', (name, decimals, solIsTokenA) => {
    const file = `damm/${name}.json`;
    const { steps } = JSON.parse(readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'));
    const trades: { venue: string; spotPriceInSol: string }[] = steps.flatMap(
      (step: { expected: { trades: [] } }) => step.expected.trades,
    );
    const last = trades.findLast(({ venue }) => venue === 'damm');
    const accounts = readPoolHistories().find((history) => history.name === file)?.accountsAfter ?? new Map();
    const pools = [...accounts.values()].map(readDammPoolState).filter((pool) => pool !== null);
    const bPerA = quotePerBase(pools[0]?.sqrtPrice ?? 0n);
    const price = wholeTokenPrice(solIsTokenA ? inverted(bPerA) : bPerA, decimals, SOL_DECIMALS);
    expect([pools.length, String(price)]).toEqual([1, last?.spotPriceInSol ?? '']);
  });
});

describe('the shortfall against the spot price', () => {
  const twoForOne = { numerator: 2n, denominator: 1n };
  test.each([
    [100n, 200n, 0n],
    [100n, 190n, 500n],
    [100n, 0n, 10_000n],
    [1_000_000n, 1_999_999n, 1n],
    [100n, 201n, 0n],
    [0n, 0n, 0n],
  ])('of %p in and %p out is %p basis points, rounded up', (inRaw, outRaw, bps) => {
    expect(shortfallBps(inRaw, outRaw, twoForOne)).toBe(bps);
  });
});

describe('the capacity of a curve', () => {
  test('takes what a partial fill that completes the curve takes, and sells at most as much', () => {
    fc.assert(
      fc.property(generatedCurve, ({ terms, pool, clock }) => {
        const capacity = curveCapacity(terms, pool, clock);
        const swap = quoteCurveSwap(terms, pool, clock, {
          side: 'buy',
          mode: 'partial_fill',
          amountRaw: 2n ** 63n,
          limitRaw: null,
          hasReferral: false,
          provesSingleSwap: true,
          isFirstSwapAtLaunch: false,
        });
        if (swap.outcome === 'failed') {
          expect([swap.error.name, capacity.quoteRaw]).toEqual(['PoolIsCompleted', 0n]);
          return;
        }
        expect(swap.inExcludingFeeRaw).toBe(capacity.quoteRaw);
        expect(capacity.baseRaw).toBeLessThanOrEqual(swap.outRaw);
        expect(capacity.quoteToThresholdRaw).toBeLessThanOrEqual(capacity.quoteRaw);
        expect(swap.completesCurve).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is an output that can be bought, of which one unit more cannot, and an input that can be paid', () => {
    let sold = 0;
    fc.assert(
      fc.property(generatedCurve, ({ terms, pool, clock }) => {
        const buy = (mode: SwapMode, amountRaw: bigint) =>
          quoteCurveSwap(terms, pool, clock, {
            side: 'buy',
            mode,
            amountRaw,
            limitRaw: null,
            hasReferral: false,
            provesSingleSwap: true,
            isFirstSwapAtLaunch: false,
          });
        const { baseRaw, quoteRaw } = curveCapacity(terms, pool, clock);
        expect(buy('exact_out', baseRaw + 1n).outcome).toBe('failed');
        if (baseRaw === 0n) return;
        sold += 1;
        expect(buy('exact_out', baseRaw)).toMatchObject({ outcome: 'swapped', outRaw: baseRaw });
        expect(buy('exact_in', quoteRaw).outcome).toBe('swapped');
      }),
      { numRuns: 2_000 },
    );
    expect(sold).toBeGreaterThan(500);
  });

  test('is nothing once the reserve has reached the threshold', () => {
    const nothing = { quoteToThresholdRaw: 0n, quoteRaw: 0n, baseRaw: 0n };
    fc.assert(
      fc.property(generatedCurve, fc.bigInt(0n, 9n), ({ terms, pool, clock }, excess) => {
        const complete = { ...pool, quoteReserve: terms.migrationQuoteThreshold + excess };
        expect(curveCapacity(terms, complete, clock)).toEqual(nothing);
      }),
    );
  });
});
