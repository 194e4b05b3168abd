import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { curveCapacity } from '../../src/chain/pools/curve/curve-capacity.ts';
import { curveTerms } from '../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { createTradingCaches, type PoolSnapshot } from '../../src/features/trading/pool-snapshots.ts';
import { quoteSwap } from '../../src/features/trading/quote.ts';
import { Problem } from '../../src/shared/problem.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { curveArbitrary } from '../support/pools/curve-arbitraries.ts';
import { curveConfigAccount, curvePoolAccount } from '../support/pools/pool-accounts-from-numbers.ts';
import { clockArbitrary } from '../support/pools/pool-arbitraries.ts';

test('a pool that was read is served until the head is two slots further', async () => {
  let slot = 100n;
  const { snapshots } = createTradingCaches({ current: () => ({ slot }), pace: () => nominalPace } as never);
  await snapshots.get('mint', async () => ({ clock: { slot } }) as PoolSnapshot);
  const isKept = [100n, 101n, 102n].map((head) => {
    slot = head;
    return snapshots.kept('mint') !== undefined;
  });
  expect(isKept).toEqual([true, true, false]);
});

test('what a curve can still trade is that of the slot of each quote, also after the pool has moved', () => {
  const moves = fc.array(fc.tuple(clockArbitrary, fc.bigInt({ min: 1n, max: 1_000_000n })), { minLength: 2 });
  let quoted = 0;
  fc.assert(
    fc.property(curveArbitrary, moves, ({ config, pool }, places) => {
      const configOf = readCurveConfig(curveConfigAccount(config));
      if (configOf === null) throw new Error('not a config');
      const facts = {
        mintAddress: 'mint',
        quoteMint: WRAPPED_SOL_MINT,
        curve: { address: 'pool', terms: curveTerms(configOf) },
      };
      const snapshots = places.map(([clock, movedRaw]) => {
        const quoteReserve = (pool.quoteReserve ?? 0n) + movedRaw;
        const curve = readCurvePool(curvePoolAccount({ ...pool, quoteReserve }));
        return { token: { status: 'bonding' }, facts, clock, curve, amm: null } as PoolSnapshot;
      });
      for (const snapshot of [...snapshots, ...snapshots]) {
        const capacity = capacityIn(snapshot);
        if (capacity === null) continue;
        quoted += 1;
        expect(capacity).toEqual(curveCapacity(facts.curve.terms, snapshot.curve, snapshot.clock));
      }
    }),
  );
  expect(quoted).toBeGreaterThan(100);

  /** Null where the amount is refused. */
  function capacityIn(snapshot: PoolSnapshot) {
    try {
      return quoteSwap(snapshot, { side: 'buy', mode: 'exact_in', amountRaw: 1_000_000n }).capacity;
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }
});
