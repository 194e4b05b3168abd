import { expect, test } from 'bun:test';
import { networkFee } from '../../src/chain/transactions/compute-budget.ts';
import type { Quote } from '../../src/features/trading/quote.ts';
import { shortfallOf } from '../../src/features/trading/wallet-funds.ts';

test('a buy needs its input and the fee to the lamport, and no rent that no node has reported', () => {
  const quote = {
    request: { side: 'buy', mode: 'exact_in' },
    amounts: { inRaw: 1_000n },
    snapshot: { facts: { tokenProgram: 'program' } },
  } as unknown as Quote;
  const account = { isOpen: false, lamports: 0n };
  const costs = { computeUnits: 200_000, computeUnitPrice: 0n, platformFeeLamports: 0n, tipLamports: 0n };
  const needRaw = 1_000n + networkFee(costs.computeUnits, costs.computeUnitPrice);
  const lacks = (lamports: bigint) => {
    const funds = { slot: 1n, lamports, tokenRaw: 0n, wrapped: account, token: account, rentOf: null };
    return shortfallOf(quote, 0n, funds, costs);
  };
  expect(lacks(needRaw)).toBeNull();
  expect(lacks(needRaw - 1n)).toMatchObject({ haveRaw: needRaw - 1n, needRaw });
});
