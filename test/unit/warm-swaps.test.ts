import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { stretchesTouched } from '../../src/chain/pools/curve/curve-walk.ts';
import { type SwapShape, WarmSwaps } from '../../src/features/trading/warm-swaps.ts';

const shape: SwapShape = {
  wallet: 'w',
  poolAddress: 'p',
  side: 'buy',
  mode: 'exact_in',
  version: 'v0',
  completesCurve: false,
  stretches: 2,
  wrapped: '0 lamports',
  token: 'open',
  platformFee: 'none',
  tip: 'none',
};

test('a simulation vouches for swaps of its shape for ten seconds, and for its blockhash whatever the shape', () => {
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

test('a simulation without units, or of a wallet that no node shows, vouches for its blockhash alone', () => {
  const warm = new WarmSwaps();
  warm.note(shape, 'a', 0);
  expect(warm.limitFor(shape, 'a')).toBeNull();
  warm.note(shape, 'b', 100_000);
  warm.note(null, 'a', 90_000);
  expect(warm.limitFor(shape, 'a')).toBe(125_000);
  expect(warm.limitFor(null, 'a')).toBeNull();
});

const before = fc.constantFrom('open' as const, '0 lamports' as const, '5 lamports' as const);
const paid = fc.constantFrom('none' as const, 'f small' as const, 'f opening' as const, 'g small' as const);
const shapes = fc.record<SwapShape>({
  wallet: fc.constantFrom('w', 'v'),
  poolAddress: fc.constantFrom('p', 'q'),
  side: fc.constantFrom('buy', 'sell'),
  mode: fc.constantFrom('exact_in', 'exact_out'),
  version: fc.constantFrom('v0', 'v1'),
  completesCurve: fc.boolean(),
  stretches: fc.integer({ min: 0, max: 3 }),
  wrapped: before,
  token: before,
  platformFee: paid,
  tip: paid,
});

test('a simulation vouches for no swap that differs in any fact, and opens an account that the first one did not', () => {
  const field = fc.constantFrom(...(Object.keys(shape) as (keyof SwapShape)[]));
  fc.assert(
    fc.property(shapes, shapes, field, (one, other, changed) => {
      const warm = new WarmSwaps(() => 0);
      warm.note(one, 'a', 100_000);
      expect(warm.limitFor(structuredClone(one), 'a')).toBe(125_000);
      const next = { ...one, [changed]: other[changed] };
      const isCovered =
        changed === 'stretches' ? next.stretches <= one.stretches : next[changed] === one[changed];
      expect(warm.limitFor(next, 'a')).toBe(isCovered ? 125_000 : null);
    }),
  );
});

test('a simulation vouches for no swap that moves through more of the curve, or completes it', () => {
  const warm = new WarmSwaps(() => 0);
  warm.note(shape, 'a', 100_000);
  expect(warm.limitFor({ ...shape, stretches: 1 }, 'a')).toBe(125_000);
  expect(warm.limitFor({ ...shape, stretches: 3 }, 'a')).toBeNull();
  expect(warm.limitFor({ ...shape, completesCurve: true }, 'a')).toBeNull();
  warm.note({ ...shape, stretches: 3 }, 'a', 120_000);
  expect(warm.limitFor(shape, 'a')).toBe(148_000);
});

test('the curve segments that a move touches are those that the program computes', () => {
  const stretches = [0n, 10n, 20n, 30n].map((lower) => ({ lower, upper: lower + 10n, liquidity: 1n }));
  const moves: [bigint, bigint, number][] = [
    [2n, 8n, 1],
    [2n, 10n, 1],
    [2n, 11n, 2],
    [10n, 20n, 1],
    [5n, 35n, 4],
    [35n, 5n, 4],
    [20n, 15n, 1],
  ];
  for (const [from, to, touched] of moves) expect(stretchesTouched(stretches, from, to)).toBe(touched);
});
