import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RequestBudget } from '../../src/indexer/pool-history/request-budget.ts';

test('no second sees more than six fifths of the rate, whenever requests come', async () => {
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
          for (let at = 0; at < count; at += 1) void budget.take(() => at % 2 === 0);
          for (let at = before; at < budget.granted; at += 1) grantedAtMs.push(nowMs);
        }
        stop.abort();
        for (const fromMs of grantedAtMs) {
          const inSecond = grantedAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 1_000);
          expect(inSecond.length).toBeLessThanOrEqual(perSecond + Math.max(1, perSecond / 5));
        }
      },
    ),
  );
});

/** A budget that has granted everything it held, with ten more tokens a moment later. */
async function emptied() {
  const clock = { nowMs: 0 };
  const stop = new AbortController();
  const budget = new RequestBudget({ perSecond: 50, signal: stop.signal, nowMs: () => clock.nowMs });
  const order: string[] = [];
  for (let at = 0; at < 10; at += 1) await budget.take(() => true);
  const take = (name: string, isUrgent: () => boolean) => budget.take(isUrgent).then(() => order.push(name));
  return { budget, clock, stop, order, take };
}

test('a request that gives up is granted nothing, and takes nothing from those that wait', async () => {
  const { budget, clock, stop, order, take } = await emptied();
  const patience = new AbortController();
  const impatient = budget.takeUntil(patience.signal);
  const waiting = take('patient', () => true);
  patience.abort();
  expect(await impatient).toBe(false);
  expect(budget.waiting).toBe(1);
  expect(await budget.takeUntil(patience.signal)).toBe(false);
  clock.nowMs += 1_000;
  expect(await budget.takeUntil(new AbortController().signal)).toBe(true);
  await waiting;
  expect([order, budget.granted]).toEqual([['patient'], 12]);
  stop.abort();
  expect(await budget.takeUntil(new AbortController().signal)).toBe(false);
});

test('urgent requests go first, and every eighth grant goes to another', async () => {
  const { clock, stop, order, take } = await emptied();
  const waiting = [
    ...Array.from({ length: 4 }, () => take('ordinary', () => false)),
    ...Array.from({ length: 7 }, () => take('urgent', () => true)),
  ];
  clock.nowMs += 1_000;
  // One more request makes it look at the clock; it is the last in line.
  waiting.push(take('urgent', () => true));
  await waiting[0];
  await waiting[1];
  expect(order).toEqual(['ordinary', ...Array.from({ length: 7 }, () => 'urgent'), 'ordinary', 'urgent']);
  stop.abort();
  await Promise.all(waiting);
  expect(order).toHaveLength(12);
});

test('two thirds of the tokens are kept for urgent requests, even when none waits', async () => {
  const { budget, clock, stop, take } = await emptied();
  const granted = () => budget.granted - 10;
  clock.nowMs += 139;
  const waiting = [take('ordinary', () => false)];
  expect(granted()).toBe(0);
  clock.nowMs += 1;
  waiting.push(take('ordinary', () => false));
  expect(granted()).toBe(1);
  for (let at = 0; at < 6; at += 1) waiting.push(take('urgent', () => true));
  expect(granted()).toBe(7);
  stop.abort();
  await Promise.all(waiting);
});

test('a request that becomes urgent while it waits goes before the others', async () => {
  const { clock, stop, order, take } = await emptied();
  let isWoken = false;
  const waiting = Array.from({ length: 20 }, (_, at) => take(String(at), () => at === 15 && isWoken));
  isWoken = true;
  clock.nowMs += 1_000;
  waiting.push(take('last', () => false));
  await waiting[15];
  expect(order).toContain('15');
  expect(order).not.toContain('12');
  stop.abort();
  await Promise.all(waiting);
});

test('waiting requests go on at once when the process stops', async () => {
  const stop = new AbortController();
  const budget = new RequestBudget({ perSecond: 4, signal: stop.signal, nowMs: () => 0 });
  await budget.take(() => false);
  const waiting = budget.take(() => false);
  stop.abort();
  await waiting;
  await budget.take(() => true);
  expect(budget.waiting).toBe(0);
});
