import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { candleIntervals } from '../../src/db/values/trades.ts';
import { bucketStart, foldCandles, intervalMs, mergeCandles } from '../../src/indexer/market/fold-candles.ts';
import { chainPosition, type IndexedTrade, tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { foldMarketChanges } from '../../src/indexer/market/market-change.ts';
import { addDecimals, compareDecimals, normaliseDecimal } from '../../src/shared/decimal.ts';
import { countedPrice, tokensOf, tradesOf } from '../support/market/market-arbitraries.ts';

const MINTS = ['So11111111111111111111111111111111111111112', 'SysvarC1ock11111111111111111111111111111111'];
const TOKENS = tokensOf(MINTS);
const streams = tradesOf(MINTS, 40).chain((trades) =>
  fc.tuple(fc.constant(trades), fc.shuffledSubarray(trades, { minLength: trades.length })),
);
const inChainOrder = (trades: readonly IndexedTrade[]) =>
  [...trades].sort((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1));

test('late and shuffled trades give the same candles and market as sorted ones', () => {
  fc.assert(
    fc.property(streams, ([trades, shuffled]) => {
      const sorted = inChainOrder(trades);
      expect(foldCandles(shuffled, TOKENS)).toEqual(foldCandles(sorted, TOKENS));
      const byMint = (a: { mintAddress: string }, b: { mintAddress: string }) =>
        a.mintAddress < b.mintAddress ? -1 : 1;
      expect(foldMarketChanges(shuffled, TOKENS).sort(byMint)).toEqual(
        foldMarketChanges(sorted, TOKENS).sort(byMint),
      );
    }),
  );
});

test('every candle is the fold of the trades in its bucket, so a client can rebuild it', () => {
  fc.assert(
    fc.property(tradesOf(MINTS, 40), (trades) => {
      for (const candle of foldCandles(trades, TOKENS)) {
        const end = candle.openTime.getTime() + intervalMs[candle.interval];
        const inside = inChainOrder(trades).filter(
          ({ mintAddress, blockTime }) =>
            mintAddress === candle.mintAddress && blockTime >= candle.openTime && blockTime.getTime() < end,
        );
        // Dust counts for the volume and for no price.
        const prices = inside.flatMap((trade) => countedPrice(trade) ?? []);
        const byValue = prices.toSorted(compareDecimals);
        expect(candle.tradeCount).toBe(inside.length);
        expect(candle.volumeInSol).toBe(
          inside.map((trade) => trade.solAmount).reduce(addDecimals, normaliseDecimal('0')),
        );
        expect([candle.open, candle.close]).toEqual([prices[0] ?? null, prices.at(-1) ?? null]);
        expect([candle.low, candle.high]).toEqual([byValue[0] ?? null, byValue.at(-1) ?? null]);
      }
    }),
  );
});

test('no trade is lost or counted twice in any interval', () => {
  fc.assert(
    fc.property(tradesOf(MINTS, 40), (trades) => {
      for (const interval of candleIntervals) {
        const counts = foldCandles(trades, TOKENS).filter((candle) => candle.interval === interval);
        expect(counts.reduce((sum, candle) => sum + candle.tradeCount, 0)).toBe(trades.length);
      }
    }),
  );
});

test('bars of one bucket merge in any grouping', () => {
  fc.assert(
    fc.property(tradesOf([MINTS[0] ?? ''], 12), fc.integer({ min: 1, max: 11 }), (trades, cut) => {
      const sameMinute = trades.map((trade) => ({ ...trade, blockTime: new Date(0) }));
      const [left] = foldCandles(sameMinute.slice(0, cut), TOKENS);
      const [right] = foldCandles(sameMinute.slice(cut), TOKENS);
      const [whole] = foldCandles(sameMinute, TOKENS);
      if (left === undefined || right === undefined || whole === undefined) return;
      expect(mergeCandles(left, right)).toEqual(whole);
      expect(mergeCandles(right, left)).toEqual(whole);
    }),
  );
});

test('buckets are aligned to the epoch: days start at midnight UTC, four-hour bars at 00, 04, 08', () => {
  const time = new Date('2026-03-04T05:06:07.890Z');
  const starts = candleIntervals.map((interval) => bucketStart(interval, time).toISOString().slice(0, 16));
  expect(starts).toEqual([
    '2026-03-04T05:06',
    '2026-03-04T05:05',
    '2026-03-04T05:00',
    '2026-03-04T05:00',
    '2026-03-04T04:00',
    '2026-03-04T00:00',
  ]);
});

test('chain positions sort as numbers do, and by the id where sources report no transaction index', () => {
  const at = (slot: bigint, outerIndex: number, id: string) =>
    chainPosition({ slot, transactionIndex: 0, outerIndex, innerIndex: 0, id });
  expect(at(9n, 0, 'b') < at(10n, 0, 'a')).toBe(true);
  expect(at(10n, 9, 'b') < at(10n, 10, 'a')).toBe(true);
  expect(at(10n, 1, 'a') < at(10n, 1, 'b')).toBe(true);
});

test('the id of a trade depends on its identity alone', () => {
  expect(tradeId('sig', 1, 2)).toBe(tradeId('sig', 1, 2));
  expect(new Set([tradeId('sig', 1, 2), tradeId('sig', 12, 2), tradeId('sig', 2, 1)]).size).toBe(3);
});
