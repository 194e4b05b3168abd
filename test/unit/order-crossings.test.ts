import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { chainPosition } from '../../src/indexer/market/indexed-trade.ts';
import {
  findCrossings,
  type PricedTrade,
  spansOf,
  TRADE_AGE_MAX_MS,
  type WaitingOrder,
} from '../../src/indexer/market/order-crossings.ts';
import { compareDecimals, normaliseDecimal, rawToDecimal } from '../../src/shared/decimal.ts';
import {
  countedPrice,
  FIRST_BLOCK_TIME_MS,
  numberedTrade,
  tokensOf,
  tradesOf,
} from '../support/market/market-arbitraries.ts';

const MINTS = ['So11111111111111111111111111111111111111112', 'SysvarC1ock11111111111111111111111111111111'];
const [MINT = ''] = MINTS;
const TOKENS = tokensOf(MINTS);

/** A sell order of a stop at 0.5 that was opened before the first numbered trade. */
function orderOf(id: string, changes: Partial<Omit<WaitingOrder, 'triggerPrice'>> & { at?: string } = {}) {
  const { at = '0.5', ...rest } = changes;
  return {
    id,
    mintAddress: MINT,
    triggerOf: 'trade' as const,
    triggerWhen: 'at_or_below' as const,
    triggerPrice: normaliseDecimal(at),
    openedAt: new Date(FIRST_BLOCK_TIME_MS),
    ...rest,
  };
}

const pricedAt = (number: number, price: string, spot?: string) =>
  numberedTrade(MINT, number, {
    solAmount: price,
    tokenAmount: '1',
    ...(spot !== undefined && { spotPriceInSol: spot }),
  });

const idsOf = (orders: readonly WaitingOrder[], trades: readonly PricedTrade[]) =>
  findCrossings(orders, trades, TOKENS).map(({ order }) => order.id);

describe('an order is triggered', () => {
  test('by the first trade in chain order at its price or beyond, in whatever order they come', () => {
    const trades = [pricedAt(3, '0.1'), pricedAt(2, '0.5'), pricedAt(1, '0.6')];
    expect(findCrossings([orderOf('a')], trades, TOKENS)).toMatchObject([
      { trade: { slot: 102n }, price: '0.5' },
    ]);
    expect(findCrossings([orderOf('a', { triggerWhen: 'at_or_above' })], trades, TOKENS)).toMatchObject([
      { trade: { slot: 101n }, price: '0.6' },
    ]);
    expect(findCrossings([orderOf('a', { at: '0.09' })], trades, TOKENS)).toEqual([]);
  });

  test('by the price that it names: of the trade, or of the pool after it', () => {
    const trades = [pricedAt(1, '0.9', '0.4'), pricedAt(2, '0.3'), pricedAt(3, '0.9', '0.2')];
    const crossings = findCrossings(
      [orderOf('own'), orderOf('spot', { triggerOf: 'spot', at: '0.2' })],
      trades,
      TOKENS,
    );
    expect(crossings.map(({ order, trade, price }) => [order.id, trade.slot, price])).toEqual([
      ['own', 102n, '0.3'],
      ['spot', 103n, '0.2'],
    ]);
  });

  test('by no trade whose own price is rounding, unless the price of the pool after it is there too', () => {
    const dust = (number: number, lamports: bigint, raw: bigint, spot?: string) =>
      numberedTrade(MINT, number, {
        solAmount: rawToDecimal(lamports, 9),
        tokenAmount: rawToDecimal(raw, 6),
        ...(spot !== undefined && { spotPriceInSol: spot }),
      });
    const stop = orderOf('stop', { at: '0.6' });
    const profit = orderOf('profit', { triggerWhen: 'at_or_above', at: '3' });
    // One raw unit for 2 lamports, a sale for nothing, and trades that lack one unit on one side: the market is at 1.
    const trades = [
      dust(1, 2n, 1n, '1'),
      dust(2, 0n, 10n, '1'),
      dust(3, 99_999n, 200_000n, '1'),
      dust(4, 50_000_000n, 9_999n, '1'),
    ];
    expect(idsOf([stop, profit], trades)).toEqual([]);
    expect(idsOf([stop, profit], [dust(5, 2n, 1n)])).toEqual([]);
    expect(findCrossings([stop], [...trades, dust(5, 2n, 1n, '0.5')], TOKENS)).toMatchObject([
      { trade: { slot: 105n }, price: '0.5' },
    ]);
    expect(idsOf([stop], [dust(6, 100_000n, 200_000n, '1')])).toEqual(['stop']);
  });

  test('by no trade that is much older than the order', () => {
    const trades = [pricedAt(1, '0.2'), pricedAt(100, '0.4'), pricedAt(101, '0.1')];
    const openedAt = new Date(FIRST_BLOCK_TIME_MS + 100_000 + TRADE_AGE_MAX_MS);
    expect(findCrossings([orderOf('a', { openedAt })], trades, TOKENS)).toMatchObject([
      { trade: { slot: 200n } },
    ]);
    expect(idsOf([orderOf('a', { openedAt: new Date(openedAt.getTime() + 2_000) })], trades)).toEqual([]);
  });

  test('in turn by trade, then by price, then by time', () => {
    const later = new Date(FIRST_BLOCK_TIME_MS + 1);
    const orders = [
      orderOf('second trade', { at: '0.2' }),
      orderOf('far', { at: '0.4' }),
      orderOf('near, later', { at: '0.5', openedAt: later }),
      orderOf('near', { at: '0.5' }),
      orderOf('above, far', { triggerWhen: 'at_or_above', at: '0.3' }),
      orderOf('above, near', { triggerWhen: 'at_or_above', at: '0.25' }),
    ];
    expect(idsOf(orders, [pricedAt(1, '0.4'), pricedAt(2, '0.2')])).toEqual([
      'above, near',
      'above, far',
      'near',
      'near, later',
      'far',
      'second trade',
    ]);
  });
});

const order = fc.record({
  mintAddress: fc.constantFrom(...MINTS),
  triggerOf: fc.constantFrom('trade' as const, 'spot' as const),
  triggerWhen: fc.constantFrom('at_or_above' as const, 'at_or_below' as const),
  triggerPrice: fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 12n }).map((raw) => rawToDecimal(raw, 18)),
    fc.bigInt({ min: 1n, max: 10n ** 6n }).map((raw) => rawToDecimal(raw, 5)),
  ),
  openedAt: fc.integer({ min: 0, max: 600 }).map((minute) => new Date(FIRST_BLOCK_TIME_MS + minute * 60_000)),
});

test('the first crossing of any orders and trades is that of a walk through all of them', () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 20, size: 'max' }), tradesOf(MINTS, 30), (shapes, trades) => {
      const orders = shapes.map((shape, at) => ({ ...shape, id: String(at) }));
      const inOrder = trades.toSorted((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1));
      const expected = orders.flatMap((one) => {
        const first = inOrder.find((trade) => {
          const paid = one.triggerOf === 'trade' ? countedPrice(trade) : null;
          const price = paid ?? trade.spotPriceInSol;
          if (trade.mintAddress !== one.mintAddress || price === null) return false;
          if (trade.blockTime.getTime() + TRADE_AGE_MAX_MS < one.openedAt.getTime()) return false;
          const side = compareDecimals(price, one.triggerPrice);
          return one.triggerWhen === 'at_or_above' ? side >= 0 : side <= 0;
        });
        return first === undefined ? [] : [[one.id, first.id]];
      });
      const found = findCrossings(orders, trades, TOKENS);
      expect(found.map(({ order: { id }, trade }) => [id, trade.id]).sort()).toEqual(expected.sort());
      const positions = found.map(({ trade }) => chainPosition(trade));
      expect(positions).toEqual(positions.toSorted());
      // The span of the trades finds every order that is triggered.
      const spans = new Map(spansOf(trades, TOKENS).map((span) => [span.mintAddress, span]));
      for (const { order: one } of found) {
        const span = spans.get(one.mintAddress);
        const [low, high] =
          one.triggerOf === 'spot'
            ? [span?.lowestSpot, span?.highestSpot]
            : [span?.lowestTrade, span?.highestTrade];
        if (low == null || high == null || span === undefined) return expect.unreachable();
        if (one.triggerWhen === 'at_or_above')
          expect(compareDecimals(one.triggerPrice, high)).toBeLessThanOrEqual(0);
        else expect(compareDecimals(one.triggerPrice, low)).toBeGreaterThanOrEqual(0);
        expect(one.openedAt.getTime()).toBeLessThanOrEqual(span.openedBefore.getTime());
      }
    }),
  );
});
