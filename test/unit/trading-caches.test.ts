import { expect, test } from 'bun:test';
import { createTradingCaches, type PoolSnapshot } from '../../src/features/trading/pool-snapshots.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';

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
