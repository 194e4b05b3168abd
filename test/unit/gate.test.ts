import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Gate, GateRefused, type GateShare } from '../../src/shared/gate.ts';

const LONG_MS = 60_000;

/** Work that ends when the test says so. */
function stage(gate: Gate) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (name: number, shares?: readonly GateShare[]) =>
    gate.run(async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    }, shares);
  const end = (name: number) => ends.get(name)?.();
  return { begun, work, end };
}

test('a gate runs work up to its limit, queues more in order, and refuses the rest without calling it', async () => {
  const gate = new Gate({ runningMax: 2, waitingMax: 2, waitMaxMs: LONG_MS });
  const { begun, work, end } = stage(gate);
  const all = [0, 1, 2, 3].map((name) => work(name));
  for (const name of [4, 5]) expect(work(name)).rejects.toBeInstanceOf(GateRefused);
  expect(begun).toEqual([0, 1]);
  end(1);
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  end(0);
  await all[0];
  end(2);
  await all[2];
  end(3);
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
  expect(gate.refused).toBe(2);
});

test('work that waits too long is refused and leaves its place in the queue to another', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 1, waitMaxMs: 1 });
  const { begun, work, end } = stage(gate);
  const first = work(0);
  expect(work(1)).rejects.toBeInstanceOf(GateRefused);
  await work(2).catch(() => {});
  await expect(work(3)).rejects.toBeInstanceOf(GateRefused);
  end(0);
  await first;
  const last = work(4);
  expect(begun).toEqual([0, 4]);
  end(4);
  expect(await last).toBe(4);
});

test('work that fails makes room like work that succeeds', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 0 });
  for (let round = 0; round < 3; round += 1)
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.run(async () => 'done')).toBe('done');
});

test('a freed place goes to the work that has waited longest, before newcomers', async () => {
  const gate = new Gate({ runningMax: 1 });
  expect(gate.tryTake()).toBe(true);
  expect(gate.tryTake()).toBe(false);
  const order: number[] = [];
  const waiting = [1, 2].map((number) => gate.take().then(() => order.push(number)));
  gate.release();
  expect(gate.tryTake()).toBe(false);
  await waiting[0];
  expect(order).toEqual([1]);
  gate.release();
  await waiting[1];
  expect(order).toEqual([1, 2]);
  gate.release();
  expect(gate.tryTake()).toBe(true);
});

describe('shares', () => {
  const sharesOf = (owner: string): GateShare[] => [
    { name: 'all of them', max: 2 },
    { name: owner, max: 1 },
  ];

  test('give a freed place to the first waiting share that has room', async () => {
    const gate = new Gate({ runningMax: 2, waitingMax: 2, waitMaxMs: LONG_MS });
    await gate.take(sharesOf('a'));
    const order: string[] = [];
    const second = gate.take(sharesOf('a')).then(() => order.push('a'));
    await gate.take(sharesOf('b'));
    expect(order).toEqual([]);
    gate.release(sharesOf('a'));
    await second;
    expect(order).toEqual(['a']);
  });

  test('that are used up do not block other shares, and refuse work when too much waits', async () => {
    const gate = new Gate({ runningMax: 3, waitingMax: 1, waitMaxMs: LONG_MS });
    await gate.take(sharesOf('a'));
    const waiting = gate.take(sharesOf('a'));
    await expect(gate.take(sharesOf('a'))).rejects.toThrow('waiting already');
    await gate.take(sharesOf('b'));
    expect(gate.tryTake(sharesOf('c'))).toBe(false);
    expect(gate.tryTake()).toBe(true);
    gate.release(sharesOf('a'));
    await waiting;
  });
});

test('never run more than the gate and each share allow, and no work waits while it has room', async () => {
  const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), ends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 60 }),
      async (runningMax, steps) => {
        const gate = new Gate({ runningMax });
        const running: string[] = [];
        const waiting: string[] = [];
        const share = (owner: string) => [{ name: owner, max: 2 }];
        for (const { owner, ends } of steps) {
          const at = running.indexOf(owner);
          if (ends && at >= 0) {
            running.splice(at, 1);
            gate.release(share(owner));
          } else if (!ends) {
            waiting.push(owner);
            void gate.take(share(owner)).then(() => {
              waiting.splice(waiting.indexOf(owner), 1);
              running.push(owner);
            });
          }
          await Promise.resolve();
          await Promise.resolve();
          const has = (name: string) => running.filter((one) => one === name).length;
          expect(running.length).toBeLessThanOrEqual(runningMax);
          for (const name of ['a', 'b', 'c']) expect(has(name)).toBeLessThanOrEqual(2);
          if (running.length < runningMax) for (const name of waiting) expect(has(name)).toBe(2);
        }
      },
    ),
  );
});
