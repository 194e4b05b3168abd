import { expect, test } from 'bun:test';
import { StreamWatch } from '../../src/chain/streams/stream-watch.ts';
import { pacedSlot } from '../support/chain/nominal-pace.ts';

function watching(head: { slot: bigint | null }) {
  const clock = { nowMs: 0 };
  const watch = new StreamWatch({
    head: () => pacedSlot(head.slot),
    silenceMs: 5_000,
    nowMs: () => clock.nowMs,
  });
  return { clock, watch };
}

test('a stream without a new slot is silent, however often it repeats the last one', () => {
  const { clock, watch } = watching({ slot: 100n });
  expect(watch.take(100n)).toBe(true);
  clock.nowMs = 4_999;
  expect(watch.take(100n)).toBe(true);
  expect(watch.verdict()).toBeNull();
  clock.nowMs = 5_000;
  expect(watch.verdict()).toBe('silent');
});

test('a slot that no honest node can have reached does not count, nor does any message after it', () => {
  const { watch } = watching({ slot: 100n });
  // 25 s at the pace of mainnet.
  expect(watch.take(225n)).toBe(true);
  expect(watch.take(226n)).toBe(false);
  expect(watch.take(101n)).toBe(false);
  expect(watch.verdict()).toBe('lying');
});

test('without a believed head no slot is judged', () => {
  const { watch } = watching({ slot: null });
  expect(watch.take(10n ** 15n)).toBe(true);
  expect(watch.verdict()).toBeNull();
});

test.each([
  ['10 seconds', 50n, null],
  ['a slot more', 51n, 'lagging'],
] as const)(
  'a stream that keeps lagging by %s is judged by that, and by no lag before',
  (_what, lag, verdict) => {
    const head = { slot: 100n };
    const { clock, watch } = watching(head);
    watch.take(100n - lag);
    expect(watch.verdict()).toBeNull();
    clock.nowMs = 4_000;
    watch.take(99n);
    expect(watch.verdict()).toBeNull();
    for (const nowMs of [5_000, 8_000, 9_999]) {
      clock.nowMs = nowMs;
      head.slot = 100n + lag + BigInt(nowMs);
      watch.take(100n + BigInt(nowMs));
      expect(watch.verdict()).toBeNull();
    }
    clock.nowMs = 10_000;
    expect(watch.verdict()).toBe(verdict);
  },
);
