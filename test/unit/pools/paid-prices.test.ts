import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SwapMode } from '../../../src/chain/pools/swap-request.ts';
import { PAID_PRICE_MIN } from '../../../src/indexer/market/trade-price.ts';
import { amountUpTo } from '../../support/pools/pool-arbitraries.ts';
import { type Deal, type Market, marketArbitraries } from '../../support/pools/pool-markets.ts';

const RATE_ONE = 1_000_000_000n;
const HIGHEST_FEE = (RATE_ONE * 9n) / 10n;
const PER_MILLE = { of: 1_000n, most: 5n };

/** As small as counts on either side, and every other size. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 400_000n }),
  fc.bigInt({ min: PAID_PRICE_MIN.tokenRaw, max: 2n * PAID_PRICE_MIN.tokenRaw }),
  amountUpTo(10n ** 16n),
);
const swapMode = fc.constantFrom<SwapMode>('exact_in', 'partial_fill', 'exact_out');

/** Quote for base without the fee, as a ratio. The fee takes its part of what is paid, or as much of what comes out. */
function priceWithoutFee({ quote: { inRaw, outRaw, feeNumerator } }: Deal, paysQuote: boolean) {
  const [paid, got] = [inRaw * (RATE_ONE - feeNumerator), outRaw * RATE_ONE];
  return paysQuote ? { quote: paid, base: got } : { quote: got, base: paid };
}

/** Whether the price lies between the prices of the pool before and after, give or take some per mille. */
function isWithin(price: { quote: bigint; base: bigint }, before: bigint, after: bigint): boolean {
  const [low, high] = before < after ? [before, after] : [after, before];
  const paid = (price.quote << 128n) * PER_MILLE.of;
  const atLeast = low * low * price.base * (PER_MILLE.of - PER_MILLE.most);
  const atMost = high * high * price.base * (PER_MILLE.of + PER_MILLE.most);
  return atLeast <= paid && paid <= atMost;
}

function trade(start: Market, paysQuote: boolean, mode: SwapMode, amountRaw: bigint): Deal | null {
  const deal = start.swap(paysQuote, mode, amountRaw);
  return deal === null || deal.quote.feeNumerator > HIGHEST_FEE ? null : deal;
}

describe.each(marketArbitraries)('the paid price of a trade on a %s', (_name, market) => {
  test('that counts differs from the prices of the pool by its fee, and by rounding of at most 5 per mille', () => {
    let counted = 0;
    fc.assert(
      fc.property(market, fc.boolean(), swapMode, amount, (start, paysQuote, mode, amountRaw) => {
        const deal = trade(start, paysQuote, mode, amountRaw);
        if (deal === null) return;
        const { inRaw, outRaw, nextSqrtPrice } = deal.quote;
        const [quoteRaw, baseRaw] = paysQuote ? [inRaw, outRaw] : [outRaw, inRaw];
        if (quoteRaw < PAID_PRICE_MIN.lamports || baseRaw < PAID_PRICE_MIN.tokenRaw) return;
        counted += 1;
        expect(isWithin(priceWithoutFee(deal, paysQuote), start.sqrtPrice, nextSqrtPrice)).toBe(true);
      }),
      { numRuns: 6_000 },
    );
    expect(counted).toBeGreaterThan(100);
  });
});
