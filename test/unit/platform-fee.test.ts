import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SwapAmounts } from '../../src/chain/pools/swap-amounts.ts';
import { platformFeeOf, poolRequest } from '../../src/features/trading/platform-fee.ts';
import type { SwapRequest } from '../../src/features/trading/quote.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';

/** Rounding differs near zero and near multiples of the 10,000 basis points. */
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 300n }),
  fc
    .tuple(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: -2n, max: 2n }))
    .map(([of, by]) => of * 10_000n + by),
);
const rates = fc.integer({ min: 1, max: unpublishedLimits.platformFeeBps });
const share = (gross: bigint, bps: number) => (gross * BigInt(bps)) / 10_000n;

/** A pool that gives one unit for each. */
function swapped(order: SwapRequest, bps: number) {
  const { amountRaw } = poolRequest(order, bps);
  const atPool = { inRaw: amountRaw, outRaw: amountRaw } as SwapAmounts;
  return { amountRaw, fee: platformFeeOf(order, atPool, bps) };
}

describe('the platform fee is its rate of the SOL that the wallet pays or the pool pays out, rounded down', () => {
  test('of a buy for an amount: fee and pool share it to the lamport', () => {
    fc.assert(
      fc.property(amounts, rates, (amountRaw, bps) => {
        const { amountRaw: atPool, fee } = swapped({ side: 'buy', mode: 'exact_in', amountRaw }, bps);
        expect(fee).toEqual({ bps, lamports: share(amountRaw, bps) });
        expect(atPool + fee.lamports).toBe(amountRaw);
      }),
    );
  });

  test('of a buy of an amount: its rate of the pool’s input and the fee together', () => {
    fc.assert(
      fc.property(amounts, rates, (amountRaw, bps) => {
        const { amountRaw: atPool, fee } = swapped({ side: 'buy', mode: 'exact_out', amountRaw }, bps);
        expect(atPool).toBe(amountRaw);
        expect(fee.lamports).toBe(share(atPool + fee.lamports, bps));
      }),
    );
  });

  test('of a sell of an amount: its rate of the pool’s output', () => {
    fc.assert(
      fc.property(amounts, rates, (amountRaw, bps) => {
        const { amountRaw: atPool, fee } = swapped({ side: 'sell', mode: 'exact_in', amountRaw }, bps);
        expect([atPool, fee.lamports]).toEqual([amountRaw, share(amountRaw, bps)]);
      }),
    );
  });

  test('of a sell for an amount: the pool pays that amount and the fee, which is its rate of both', () => {
    fc.assert(
      fc.property(amounts, rates, (amountRaw, bps) => {
        const { amountRaw: atPool, fee } = swapped({ side: 'sell', mode: 'exact_out', amountRaw }, bps);
        expect(atPool - fee.lamports).toBe(amountRaw);
        expect(fee.lamports).toBe(share(atPool, bps));
      }),
    );
  });
});

test('a fee below one lamport is none', () => {
  const order = { side: 'buy', mode: 'exact_in', amountRaw: 99n } as const;
  expect(swapped(order, 100)).toEqual({ amountRaw: 99n, fee: { bps: 100, lamports: 0n } });
});
