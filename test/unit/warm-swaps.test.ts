import { expect, test } from 'bun:test';
import { WarmSwaps } from '../../src/features/trading/warm-swaps.ts';

const shape = { wallet: 'w', poolAddress: 'p', side: 'buy', mode: 'exact_in', version: 'v0' } as const;

test('a simulation speaks for swaps of its shape for ten seconds, and for its blockhash whatever the shape', () => {
  let nowMs = 0;
  const warm = new WarmSwaps(() => nowMs);
  expect(warm.limitFor(shape, 'a')).toBeNull();
  warm.note(shape, 'a', 100_000);
  expect(warm.limitFor(shape, 'a')).toBe(125_000);
  expect(warm.limitFor(shape, 'b')).toBeNull();
  expect(warm.limitFor({ ...shape, side: 'sell' }, 'a')).toBeNull();
  expect(warm.limitFor({ ...shape, wallet: 'v' }, 'a')).toBeNull();
  warm.note({ ...shape, wallet: 'v' }, 'b', 90_000);
  expect(warm.limitFor(shape, 'b')).toBe(125_000);
  nowMs = 10_000;
  expect(warm.limitFor(shape, 'b')).toBeNull();
});

test('a node that does not tell the units warms nothing', () => {
  const warm = new WarmSwaps();
  warm.note(shape, 'a', 0);
  expect(warm.limitFor(shape, 'a')).toBeNull();
});
