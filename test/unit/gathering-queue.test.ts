import { describe, expect, jest, test } from 'bun:test';
import fc from 'fast-check';
import { GatheringQueue, type GatheringQueueOptions } from '../../src/shared/gathering-queue.ts';

type Options = Partial<GatheringQueueOptions<number, string>>;

/** A queue whose writes end when the test says so. */
function stage(options: Options = {}) {
  const writes: { items: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const queue = new GatheringQueue<number, string>({
    batchMax: 3,
    writersMax: 1,
    ...options,
    write: (items) =>
      new Promise((resolve, reject) => {
        writes.push({ items, end: () => resolve(items.map((item) => `wrote ${item}`)), fail: reject });
      }),
  });
  return { queue, writes, batches: () => writes.map(({ items }) => items) };
}

test('items that come during a write go into the next one together, and each gets its own outcome', async () => {
  const { queue, writes, batches } = stage();
  const all = [1, 2, 3, 4, 5, 6].map((item) => queue.add(item));
  expect(batches()).toEqual([[1]]);
  writes[0]?.end();
  expect(await all[0]).toBe('wrote 1');
  expect(batches()).toEqual([[1], [2, 3, 4]]);
  expect(queue.size).toBe(5);
  writes[1]?.end();
  await all[3];
  writes[2]?.end();
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6].map((item) => `wrote ${item}`));
  expect(queue.size).toBe(0);
});

test('further writers start only for full batches', () => {
  const { queue, batches } = stage({ writersMax: 1, fullWritersMax: 2 });
  for (const item of [1, 2, 3]) void queue.add(item);
  expect(batches()).toEqual([[1]]);
  for (const item of [4, 5]) void queue.add(item);
  expect(batches()).toEqual([[1], [2, 3, 4]]);
  expect(queue.size).toBe(5);
});

describe('a batch that is not full', () => {
  test('is written at once by a flush, and the next one waits again', async () => {
    jest.useFakeTimers();
    try {
      const { queue, writes, batches } = stage({ gatherMs: 10 });
      const first = queue.add(1);
      queue.flush();
      expect(batches()).toEqual([[1]]);
      void queue.add(2);
      queue.flush();
      expect(batches()).toEqual([[1]]);
      writes[0]?.end();
      await first;
      jest.advanceTimersByTime(9);
      expect(batches()).toEqual([[1]]);
      jest.advanceTimersByTime(1);
      expect(batches()).toEqual([[1], [2]]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('waits for more, and a full one does not', () => {
    jest.useFakeTimers();
    try {
      const { queue, batches } = stage({ gatherMs: 10, fullWritersMax: 2 });
      void queue.add(1);
      jest.advanceTimersByTime(9);
      void queue.add(2);
      expect(batches()).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(batches()).toEqual([[1, 2]]);
      for (const item of [3, 4, 5]) void queue.add(item);
      expect(batches()).toEqual([
        [1, 2],
        [3, 4, 5],
      ]);
    } finally {
      jest.useRealTimers();
    }
  });
});

test('items with a key in common are never in one batch', async () => {
  const { queue, writes, batches } = stage({ keysOf: (item) => [item % 2 === 0 ? 'even' : `odd ${item}`] });
  const all = [1, 2, 3, 4, 5].map((item) => queue.add(item));
  writes[0]?.end();
  await all[0];
  expect(batches()).toEqual([[1], [2, 3, 5]]);
  writes[1]?.end();
  await all[1];
  expect(batches().at(-1)).toEqual([4]);
});

test('a batch that fails fails for each of its items, and the next one is written', async () => {
  const { queue, writes } = stage();
  const all = [1, 2, 3].map((item) => queue.add(item));
  writes[0]?.fail(new Error('away'));
  await expect(all[0]).rejects.toThrow('away');
  writes[1]?.end();
  expect(await all[2]).toBe('wrote 3');
});

test('a fault of one item fails that item alone', async () => {
  const queue = new GatheringQueue<number, number>({
    batchMax: 10,
    writersMax: 1,
    write: async (items) => {
      if (items.includes(3)) throw new Error('three');
      return items;
    },
    isFaultOfItem: (error) => error instanceof Error && error.message === 'three',
  });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => queue.add(item)));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    1,
    2,
    'failed',
    4,
    5,
  ]);
});

test('every item is written once and gets its own outcome, whatever fails, and is drained', async () => {
  const items = fc.array(fc.record({ isFaulty: fc.boolean(), pauses: fc.boolean() }), {
    maxLength: 40,
    size: 'max',
  });
  const sizes = fc.record({
    batchMax: fc.integer({ min: 1, max: 5 }),
    writersMax: fc.integer({ min: 1, max: 3 }),
    gatherMs: fc.constantFrom(0, 1),
  });
  await fc.assert(
    fc.asyncProperty(items, sizes, async (arrivals, options) => {
      const written: number[] = [];
      let writing = 0;
      const queue = new GatheringQueue<number, number>({
        ...options,
        keysOf: (item) => [String(item % 7)],
        isFaultOfItem: () => true,
        async write(batch) {
          writing += 1;
          expect(writing).toBeLessThanOrEqual(options.writersMax);
          expect(batch.length).toBeLessThanOrEqual(options.batchMax);
          expect(new Set(batch.map((item) => item % 7)).size).toBe(batch.length);
          await Promise.resolve();
          writing -= 1;
          if (batch.some((item) => arrivals[item]?.isFaulty)) throw new Error('faulty');
          written.push(...batch);
          return batch.map((item) => item * 10);
        },
      });
      const outcomes: Promise<number>[] = [];
      for (const [item, { pauses }] of arrivals.entries()) {
        outcomes.push(queue.add(item).catch(() => -1));
        if (pauses) await Promise.resolve();
      }
      await queue.drained();
      expect(queue.size).toBe(0);
      const expected = arrivals.map(({ isFaulty }, item) => (isFaulty ? -1 : item * 10));
      expect(await Promise.all(outcomes)).toEqual(expected);
      expect(written.sort((one, other) => one - other)).toEqual(
        [...arrivals.keys()].filter((item) => arrivals[item]?.isFaulty === false),
      );
    }),
    { numRuns: 50 },
  );
});
