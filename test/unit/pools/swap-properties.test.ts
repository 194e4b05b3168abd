import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SwapMode } from '../../../src/chain/pools/swap-request.ts';
import { amountUpTo } from '../../support/pools/pool-arbitraries.ts';
import { marketArbitraries } from '../../support/pools/pool-markets.ts';

const amount = amountUpTo(10n ** 16n);
const swapMode = fc.constantFrom<SwapMode>('exact_in', 'partial_fill', 'exact_out');
const runs = { numRuns: 2_000 };

describe.each(marketArbitraries)('a swap on a %s', (name, market) => {
  test('followed by its reverse never leaves the trader with more than before', () => {
    fc.assert(
      fc.property(market, fc.boolean(), amount, (start, paysQuote, amountRaw) => {
        const there = start.swap(paysQuote, 'exact_in', amountRaw);
        if (there === null || there.quote.outRaw === 0n) return;
        const back = there.market.swap(!paysQuote, 'exact_in', there.quote.outRaw);
        if (back !== null) expect(back.quote.outRaw).toBeLessThanOrEqual(amountRaw);
      }),
      runs,
    );
  });

  test('in parts and back never returns more than was paid', () => {
    fc.assert(
      fc.property(
        market,
        fc.boolean(),
        fc.array(amount, { minLength: 2, maxLength: 4 }),
        (start, paysQuote, parts) => {
          let now = start;
          let paid = 0n;
          let got = 0n;
          for (const part of parts) {
            const deal = now.swap(paysQuote, 'partial_fill', part);
            if (deal === null) continue;
            paid += deal.quote.inRaw;
            got += deal.quote.outRaw;
            now = deal.market;
          }
          const back = got === 0n ? null : now.swap(!paysQuote, 'exact_in', got);
          if (back !== null) expect(back.quote.outRaw).toBeLessThanOrEqual(paid);
        },
      ),
      runs,
    );
  });

  test('gives its fee away in parts that sum up to it, and keeps nothing else', () => {
    fc.assert(
      fc.property(market, fc.boolean(), swapMode, amount, (start, paysQuote, mode, amountRaw) => {
        const deal = start.swap(paysQuote, mode, amountRaw);
        if (deal === null) return;
        const { inRaw, inExcludingFeeRaw, feeRaw } = deal.quote;
        expect(deal.feePartsRaw.reduce((sum, part) => sum + part, 0n)).toBe(feeRaw);
        expect([0n, feeRaw]).toContain(inRaw - inExcludingFeeRaw);
        for (const part of deal.feePartsRaw) expect(part).toBeGreaterThanOrEqual(0n);
      }),
      runs,
    );
  });

  test('that fits gives the same result as a partial fill and as an exact amount in', () => {
    fc.assert(
      fc.property(market, fc.boolean(), amount, (start, paysQuote, amountRaw) => {
        const exact = start.swap(paysQuote, 'exact_in', amountRaw);
        if (exact === null) return;
        expect(start.swap(paysQuote, 'partial_fill', amountRaw)?.quote).toEqual(exact.quote);
      }),
      runs,
    );
  });

  test('never lowers the price when quote is paid, nor raises it when quote is received', () => {
    fc.assert(
      fc.property(market, fc.boolean(), amount, amount, (start, paysQuote, first, second) => {
        const deal = start.swap(paysQuote, 'exact_in', first);
        const next = deal?.market.swap(paysQuote, 'exact_in', second);
        if (!deal || !next) return;
        const [from, to] = [deal.quote.nextSqrtPrice, next.quote.nextSqrtPrice];
        expect(paysQuote ? to >= from : to <= from).toBe(true);
      }),
      runs,
    );
  });

  test('of a larger amount brings no less and pays no lower fee', () => {
    fc.assert(
      fc.property(market, fc.boolean(), amount, amount, (start, paysQuote, one, other) => {
        const [less, more] = (one < other ? [one, other] : [other, one]).map(
          (amountRaw) => start.swap(paysQuote, 'exact_in', amountRaw)?.quote,
        );
        if (!less || !more) return;
        // A rate limiter rounds the rate of each amount up to 10^-9 by itself; that can cost more than what came with it.
        const rounding = more.feeNumerator === less.feeNumerator ? 0n : more.inRaw / 1_000_000_000n + 1n;
        expect(more.feeRaw + rounding).toBeGreaterThanOrEqual(less.feeRaw);
        expect(more.outRaw >= less.outRaw || rounding > 0n).toBe(true);
      }),
      runs,
    );
  });

  test('for an exact amount out costs an input that brings at least that amount, and at a pool no more than that takes', () => {
    fc.assert(
      fc.property(market, fc.boolean(), amount, (start, paysQuote, outRaw) => {
        const byOutput = start.swap(paysQuote, 'exact_out', outRaw)?.quote;
        if (byOutput === undefined) return;
        const bringing = (inRaw: bigint) => {
          const quote = start.swap(paysQuote, 'exact_in', inRaw)?.quote;
          return quote?.feeNumerator === byOutput.feeNumerator ? quote.outRaw : null;
        };
        const enough = bringing(byOutput.inRaw);
        if (enough !== null) expect(enough).toBeGreaterThanOrEqual(outRaw);
        // A curve also lets pay for stretches that are too short to give anything.
        const less = name === 'curve' ? null : bringing(byOutput.inRaw - 1n);
        if (less !== null) expect(less).toBeLessThan(outRaw);
      }),
      runs,
    );
  });
});
