import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CREATOR_RAW, quoteBuy, quoteSell, type Reserves, SUPPLY_RAW } from '../../sandbox/market/curve.ts';

const fresh: Reserves = { lamports: 0n, tokensRaw: SUPPLY_RAW - CREATOR_RAW };

describe('the demo market', () => {
  test('never pays out more than was paid in, over any sequence of buys and sells', () => {
    const amounts = fc.array(fc.bigInt(1n, 5_000_000_000n), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(amounts, (payments) => {
        let pool = fresh;
        let paid = 0n;
        const bought: bigint[] = [];
        for (const lamports of payments) {
          const quote = quoteBuy(pool, lamports);
          expect(quote.poolLamports + quote.feeLamports).toBe(lamports);
          pool = quote.after;
          paid += lamports;
          bought.push(quote.tokensRaw);
        }
        let received = 0n;
        for (const tokensRaw of bought) {
          const quote = quoteSell(pool, tokensRaw);
          expect(quote.traderLamports + quote.feeLamports).toBe(quote.poolLamports);
          pool = quote.after;
          received += quote.traderLamports;
        }
        expect(received).toBeLessThan(paid);
        expect(pool.lamports).toBeGreaterThanOrEqual(0n);
        expect(pool.tokensRaw).toBe(fresh.tokensRaw);
      }),
    );
  });
});
