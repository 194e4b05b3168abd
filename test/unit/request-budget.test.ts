import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RequestBudget } from '../../src/indexer/pool-history/request-budget.ts';

test('no second sees more than nine eighths of the rate, whenever requests come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 100 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 60 })), {
        maxLength: 40,
      }),
      async (perSecond, bursts) => {
        let nowMs = 0;
        const stop = new AbortController();
        const budget = new RequestBudget({ perSecond, signal: stop.signal, nowMs: () => nowMs });
        const grantedAtMs: number[] = [];
        for (const [pauseMs, count] of bursts) {
          nowMs += pauseMs;
          const before = budget.granted;
          for (let at = 0; at < count; at += 1) void budget.take(at % 2 === 0);
          for (let at = before; at < budget.granted; at += 1) grantedAtMs.push(nowMs);
        }
        stop.abort();
        for (const fromMs of grantedAtMs) {
          const inSecond = grantedAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 1_000);
          expect(inSecond.length).toBeLessThanOrEqual(perSecond + Math.max(1, perSecond / 8));
        }
      },
    ),
  );
});

test('urgent requests go first, and every fourth grant goes to another', async () => {
  let nowMs = 0;
  const stop = new AbortController();
  const budget = new RequestBudget({ perSecond: 40, signal: stop.signal, nowMs: () => nowMs });
  for (let at = 0; at < 5; at += 1) await budget.take(true);
  const order: string[] = [];
  const waiting = [
    ...Array.from({ length: 4 }, () => budget.take(false).then(() => order.push('ordinary'))),
    ...Array.from({ length: 6 }, () => budget.take(true).then(() => order.push('urgent'))),
  ];
  nowMs += 1_000;
  // One more request makes it look at the clock; it is the last in line.
  waiting.push(budget.take(true).then(() => order.push('urgent')));
  await Promise.all(waiting.slice(0, 1));
  expect(order.slice(0, 4)).toEqual(['ordinary', 'urgent', 'urgent', 'urgent']);
  stop.abort();
  await Promise.all(waiting);
  expect(order).toHaveLength(11);
});

test('what waits when the process stops goes on at once', async () => {
  const stop = new AbortController();
  const budget = new RequestBudget({ perSecond: 4, signal: stop.signal, nowMs: () => 0 });
  await budget.take(false);
  const waiting = budget.take(false);
  stop.abort();
  await waiting;
  await budget.take(true);
  expect(budget.waiting).toBe(0);
});
