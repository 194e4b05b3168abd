import { beforeAll, describe, expect, test } from 'bun:test';
import { type SimulatedReads, simulateDay } from '../../bench/counts/simulated-day.ts';
import { poolConnections } from '../../src/db/connections.ts';
import { createReadGates } from '../../src/http/caches/read-gates.ts';

/** At four times the day, each of 50 tokens changes every 125 ms: loads that take as long were overtaken, all of them. */
describe.each([[10], [40], [80], [160]])('reads at four times the day, with loads of %s ms', (loadMs) => {
  let day: SimulatedReads;

  beforeAll(async () => {
    day = await simulateDay({ rate: 4, seconds: 5, loadMs, seed: 1 });
  });

  test('are not loads: a change that overtakes a load costs no hit', () => {
    expect(day.loads / day.reads).toBeLessThanOrEqual(0.25);
    expect(day.hits / day.reads).toBeGreaterThan(0.8);
    expect(day.loadsOfOneKeyMax).toBe(1);
  });

  test('do not wait: the slowest hundredth is answered before a place in the gate would be refused', () => {
    const { waitMaxMs } = createReadGates().reads.options;
    const sorted = day.latenciesMs.toSorted((one, other) => one - other);
    expect(sorted[Math.ceil(sorted.length * 0.99) - 1]).toBeLessThan(waitMaxMs);
    expect(day.refused).toBe(0);
  });

  test('are stale no longer than caches may keep them', () => {
    expect(day.lagsMs.length).toBeGreaterThan(1_000);
    expect(day.lagsMs.filter(({ lagMs, allowedMs }) => lagMs >= allowedMs)).toEqual([]);
  });
});

test('loads slower than their age are shared and bounded, not one for each read', async () => {
  const day = await simulateDay({ rate: 4, seconds: 5, loadMs: 1_500, seed: 1 });
  expect(day.loads / day.reads).toBeLessThan(0.05);
  expect(day.loadsOfOneKeyMax).toBe(1);
});

test('the anonymous loads of the database leave connections of the pool to requests with a key', () => {
  const { reads, heavyReads } = createReadGates();
  expect(reads.options.runningMax + heavyReads.options.runningMax).toBeLessThan(poolConnections.api);
});
