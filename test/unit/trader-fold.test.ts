import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  foldTrade,
  holdingOf,
  type Trader,
  type TraderTrade,
  withoutTrade,
} from '../../src/indexer/market/trader.ts';
import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  normaliseDecimal,
} from '../../src/shared/decimal.ts';

const ZERO = normaliseDecimal('0');
const amount = fc.integer({ min: 1, max: 9 }).map((units) => normaliseDecimal(String(units)));
const someTrades = fc.array(
  fc.record({
    type: fc.constantFrom('buy' as const, 'sell' as const),
    solAmount: amount,
    tokenAmount: amount,
  }),
  { minLength: 1, maxLength: 8 },
);

const toTrade = (
  trade: Pick<TraderTrade, 'type' | 'solAmount' | 'tokenAmount'>,
  at: number,
): TraderTrade => ({
  ...trade,
  mintAddress: 'mint',
  traderWallet: 'wallet',
  blockTime: new Date(1_000 * at),
  slot: BigInt(at),
  transactionIndex: 0,
  outerIndex: 0,
  innerIndex: 0,
  id: String(at),
});

const sumOf = (trades: readonly TraderTrade[], type: 'buy' | 'sell', side: 'solAmount' | 'tokenAmount') =>
  trades.reduce<DecimalString>(
    (sum, trade) => (trade.type === type ? addDecimals(sum, trade[side]) : sum),
    ZERO,
  );

test('a trader without some of its trades has the sums of the others, and no cost above what it bought', () => {
  fc.assert(
    fc.property(someTrades, fc.array(fc.nat({ max: 7 }), { maxLength: 7 }), (drawn, places) => {
      const trades = drawn.map(toTrade);
      const removed = new Set(places.filter((at) => at < trades.length));
      const left = trades.filter((_, at) => !removed.has(at));
      let trader = trades.reduce<Trader | null>(foldTrade, null);
      for (const at of removed) trader &&= withoutTrade(trader, trades[at] ?? expect.unreachable());
      if (left.length === 0) return expect(trader).toBeNull();
      if (trader === null) return expect.unreachable();
      expect(trader).toMatchObject({
        buyCount: left.filter(({ type }) => type === 'buy').length,
        sellCount: left.filter(({ type }) => type === 'sell').length,
        boughtToken: sumOf(left, 'buy', 'tokenAmount'),
        boughtInSol: sumOf(left, 'buy', 'solAmount'),
        soldToken: sumOf(left, 'sell', 'tokenAmount'),
        soldInSol: sumOf(left, 'sell', 'solAmount'),
      });
      expect(compareDecimals(trader.soldCostInSol, trader.boughtInSol)).toBeLessThanOrEqual(0);
      expect(compareDecimals(trader.uncoveredInSol, trader.soldInSol)).toBeLessThanOrEqual(0);
      const { held, cost } = holdingOf(trader);
      for (const figure of [held, cost]) expect(figure.startsWith('-')).toBe(false);
    }),
  );
});
