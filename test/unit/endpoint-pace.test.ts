import { expect, test } from 'bun:test';
import { idleConnectionsMax } from '../../relay/attempt/idle-connections.ts';
import { Pace } from '../../relay/endpoints/pace.ts';
import { UniqueFifo } from '../../relay/model/fifo.ts';

const LIMIT = 8;

function paceAfter(...ends: { count: number; tookMs: number }[]): Pace {
  const pace = new Pace();
  for (const { count, tookMs } of ends) for (let end = 0; end < count; end += 1) pace.noteEnd(tookMs);
  return pace;
}

test("an endpoint's pace is that of its last half second, and a moment without progress changes it little", () => {
  expect(paceAfter({ count: 5_000, tookMs: 2 }).inWindow(LIMIT)).toBe(1_000);
  expect(
    paceAfter({ count: 5_000, tookMs: 2 }, { count: LIMIT, tookMs: 100 }).inWindow(LIMIT),
  ).toBeGreaterThan(500);
});

test('one that has become slow is known to be within a second', () => {
  expect(paceAfter({ count: 5_000, tookMs: 2 }, { count: 80, tookMs: 100 }).inWindow(LIMIT)).toBe(20);
  expect(paceAfter({ count: 16, tookMs: 500 }).inWindow(LIMIT)).toBe(4);
});

test('idle connections leave open files for the rest', () => {
  expect([1_024, 16_384, 1_048_576].map(idleConnectionsMax)).toEqual([2_048, 8_192, 12_288]);
  expect(idleConnectionsMax()).toBeGreaterThanOrEqual(2_048);
});

test('a queue of unique items has them in order, each once, without those that were deleted', () => {
  const queue = new UniqueFifo<string>();
  for (const item of ['a', 'b', 'a', 'c']) queue.add(item);
  queue.delete('b');
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a', 'c', undefined]);
});
