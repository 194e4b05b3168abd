import { expect, test } from 'bun:test';
import { LoadGate, LoadRefused } from '../../src/http/caches/load-gate.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';

const LONG_MS = 60_000;

/** Loads that end when told to. */
function stage(gate: LoadGate) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const load = (name: number) =>
    gate.run(async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      return name;
    });
  return { begun, ends, load };
}

test('a gate runs so many loads, lets so many wait in their order, and refuses the others without calling them', async () => {
  const gate = new LoadGate({ runningMax: 2, waitingMax: 2, waitMaxMs: LONG_MS });
  const { begun, ends, load } = stage(gate);
  const loads = [0, 1, 2, 3].map(load);
  for (const name of [4, 5]) expect(load(name)).rejects.toBeInstanceOf(LoadRefused);
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await loads[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  await loads[0];
  ends[2]?.();
  await loads[2];
  ends[3]?.();
  expect(await Promise.all(loads)).toEqual([0, 1, 2, 3]);
  expect(gate.refused).toBe(2);
});

test('a load that waits too long is refused and leaves its place in the queue to another', async () => {
  const gate = new LoadGate({ runningMax: 1, waitingMax: 1, waitMaxMs: 1 });
  const { begun, ends, load } = stage(gate);
  const first = load(0);
  expect(load(1)).rejects.toBeInstanceOf(LoadRefused);
  await load(2).catch(() => {});
  await expect(load(3)).rejects.toBeInstanceOf(LoadRefused);
  ends[0]?.();
  await first;
  const last = load(4);
  expect(begun).toEqual([0, 4]);
  ends[1]?.();
  expect(await last).toBe(4);
});

test('a load that fails makes room like one that succeeds', async () => {
  const gate = new LoadGate({ runningMax: 1, waitingMax: 0, waitMaxMs: LONG_MS });
  for (let round = 0; round < 3; round += 1)
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.run(async () => 'done')).toBe('done');
});

test('a cache repeats a failure that it keeps only after its age, and forgets a refusal immediately', async () => {
  let nowMs = 0;
  let loads = 0;
  const gate = new LoadGate({ runningMax: 1, waitingMax: 0, waitMaxMs: LONG_MS });
  const cache = new SerialisedCache({
    gate,
    maxAgeMs: 100,
    entriesMax: 10,
    nowMs: () => nowMs,
    keepsFailures: true,
  });
  const read = () =>
    Promise.try(() =>
      cache.get('wallet', async () => {
        loads += 1;
        throw new Error(`failure ${loads}`);
      }),
    );
  const blocker = Promise.withResolvers<void>();
  const blocking = gate.run(() => blocker.promise);
  await expect(read()).rejects.toBeInstanceOf(LoadRefused);
  blocker.resolve();
  await blocking;
  await expect(read()).rejects.toThrow('failure 1');
  await expect(read()).rejects.toThrow('failure 1');
  nowMs = 100;
  await expect(read()).rejects.toThrow('failure 2');
  expect(loads).toBe(2);
});
