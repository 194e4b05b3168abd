import { beforeEach, describe, expect, test } from 'bun:test';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { createPriorityFeeSource } from '../../src/chain/transactions/priority-levels.ts';

const SLOT_MS = 400;
let nowMs: number;
/** Calls of the node. */
let calls: number;
/** Null for a node that fails. */
let price: bigint | null;

beforeEach(() => {
  nowMs = 0;
  calls = 0;
  price = 10n;
});

const node: ChainRpc = {
  ...createChainRpc('http://127.0.0.1:1'),
  name: 'counted',
  call: async () => {
    calls += 1;
    if (price === null) return { ok: false, failure: { kind: 'unavailable', detail: 'gone' } } as never;
    return { ok: true, value: [{ slot: 1n, price }] } as never;
  },
};
const sourceOf = () => createPriorityFeeSource([node], SLOT_MS, () => nowMs);

describe('prices for the same accounts', () => {
  test('cost one call of a node in a slot, and another one in the next slot', async () => {
    const prices = sourceOf();
    expect((await prices(['a', 'b']))?.levels.high).toBe(10n);
    price = 20n;
    nowMs = SLOT_MS - 1;
    expect((await prices(['a', 'b']))?.levels.high).toBe(10n);
    expect(calls).toBe(1);
    nowMs = SLOT_MS;
    expect((await prices(['a', 'b']))?.levels.high).toBe(20n);
    expect(calls).toBe(2);
  });

  test('cost one call, however many ask at the same time', async () => {
    const prices = sourceOf();
    await Promise.all(Array.from({ length: 50 }, () => prices(['a'])));
    expect(calls).toBe(1);
  });

  test('are not asked for again in a slot in which no node responded', async () => {
    const prices = sourceOf();
    price = null;
    expect([await prices(['a']), await prices(['a'])]).toEqual([null, null]);
    expect(calls).toBe(1);
    price = 5n;
    nowMs = SLOT_MS;
    expect((await prices(['a']))?.levels.high).toBe(5n);
  });
});

test('prices for other accounts are a call of their own', async () => {
  const prices = sourceOf();
  await prices(['a']);
  await prices(['a', 'b']);
  expect(calls).toBe(2);
});
