import { describe, expect, test } from 'bun:test';
import { percentileRatio, ratio } from '../../bench/cases/case.ts';
import { chooseCases } from '../../bench/choose-cases.ts';
import { judgeDifference } from '../../bench/judge-difference.ts';
import { curveOf, Distributions } from '../../bench/measurement/distribution.ts';
import { percentiles } from '../../bench/measurement/percentiles.ts';
import { MessageCounter } from '../../bench/measurement/round-trips.ts';
import { alternate } from '../../bench/measurement/rounds.ts';
import { median, medians, spreadOf } from '../../bench/measurement/statistics.ts';
import { timedVariant } from '../../bench/micro/timed-variant.ts';
import { registry } from '../../bench/registry.ts';
import { type Budget, loadBudgets, medianOf, passes, TOLERANCE } from '../../bench/report/budgets.ts';

describe('rounds', () => {
  test('alternate in order, reversed every other round', async () => {
    const order: string[] = [];
    const variant = (name: string) => ({
      name,
      run: async () => {
        order.push(name);
        return { value: order.length };
      },
    });
    const figures = await alternate([variant('a'), variant('b')], 3);
    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(figures).toEqual([
      { name: 'a', median: { value: 4 }, rounds: [{ value: 1 }, { value: 4 }, { value: 5 }] },
      { name: 'b', median: { value: 3 }, rounds: [{ value: 2 }, { value: 3 }, { value: 6 }] },
    ]);
  });

  test('a ratio pairs the rounds: a disturbance that hits both sides does not change it', () => {
    const side = (name: string, values: number[]) => ({
      name,
      median: {},
      rounds: values.map((value) => ({ value })),
    });
    const figures = [side('ours', [10, 100, 20]), side('limit', [5, 50, 10])];
    expect(ratio(figures, 'ours', 'limit', 'value')).toEqual({
      median: 2,
      min: 2,
      max: 2,
      rounds: [2, 2, 2],
    });
    const rare = [
      { name: 'ours', median: { value: 2 }, rounds: [{ value: 2 }, { value: 3 }] },
      { name: 'limit', median: { value: 1 }, rounds: [{ value: 0 }, { value: 1 }] },
    ];
    expect(ratio(rare, 'ours', 'limit', 'value')).toEqual({ median: 3, min: 3, max: 3, rounds: [3] });
    rare[1]?.rounds.splice(1);
    rare[0]?.rounds.splice(1);
    expect(ratio(rare, 'ours', 'limit', 'value')).toBeNull();
    expect(() => ratio(figures, 'ours', 'none', 'value')).toThrow('no variant none');
    expect(() => ratio(figures, 'ours', 'limit', 'other')).toThrow('no figure other');
  });

  test('medians', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});

describe('a distribution', () => {
  test('keeps every sample of all rounds, within a thousandth, and its curve ends where ten samples lie above', () => {
    const distributions = new Distributions();
    for (let round = 0; round < 10; round += 1)
      distributions.record(
        'ours',
        'due → answer',
        Array.from({ length: 1_000 }, (_, at) => round * 1_000 + at + 1),
      );
    distributions.record('bare', 'due → answer', [0, 100_000_000]);
    const [ours, bare] = distributions.encode();
    if (ours === undefined || bare === undefined) throw new Error('two were recorded');
    expect(ours).toMatchObject({ variant: 'ours', step: 'due → answer', samples: 10_000 });
    const curve = curveOf(ours);
    expect(curve.map(({ above }) => above)).toEqual(Array.from({ length: 9 }, (_, at) => 0.5 / 2 ** at));
    for (const { above, ms } of curve) expect(Math.abs(ms / (10_000 * (1 - above)) - 1)).toBeLessThan(0.002);
    // Beyond what it can hold a sample counts as the largest; too few of them are no curve.
    expect(bare.samples).toBe(2);
    expect(curveOf(bare)).toEqual([]);
  });
});

describe('a percentile', () => {
  const descending = (count: number) => Array.from({ length: count }, (_, index) => count - index);

  test('is the sample of nearest rank', () => {
    expect(percentiles(descending(100), { low: 0, p50Ms: 0.5 })).toEqual({ low: 1, p50Ms: 51 });
    expect(percentiles([], { p50Ms: 0.5 })).toEqual({});
  });

  test('is left out when fewer than ten samples lie above it', () => {
    const shares = { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 };
    expect(Object.keys(percentiles(descending(20), shares))).toEqual([]);
    expect(Object.keys(percentiles(descending(21), shares))).toEqual(['p50Ms']);
    expect(Object.keys(percentiles(descending(1_000), shares))).toEqual(['p50Ms', 'p90Ms']);
    expect(percentiles(descending(1_001), shares).p99Ms).toBe(991);
  });

  test('has no median and no ratio when a round of either side left it out', async () => {
    const side = (name: string, rounds: Record<string, number>[]) => ({ name, median: {}, rounds });
    const figures = [
      side('ours', [{ p50Ms: 4, p99Ms: 8 }, { p50Ms: 4 }]),
      side('limit', [
        { p50Ms: 2, p99Ms: 2 },
        { p50Ms: 2, p99Ms: 2 },
      ]),
    ];
    expect(percentileRatio(figures, 'ours', 'limit', 'p50Ms')?.median).toBe(2);
    expect(percentileRatio(figures, 'ours', 'limit', 'p99Ms')).toBeNull();
    expect(() => percentileRatio(figures, 'ours', 'none', 'p99Ms')).toThrow('no variant none');
    expect(medians(figures[0]?.rounds ?? [])).toEqual({ p50Ms: 4 });
  });
});

test('a timed function that answers wrongly fails its case', async () => {
  let calls = 0;
  const late = timedVariant('late', 5, () => {
    calls += 1;
    return calls < 1_000;
  });
  await expect(late.run()).rejects.toThrow('wrong');
  await expect(timedVariant('never', 5, () => false).run()).rejects.toThrow('gives a wrong result');
});

describe('budgets', () => {
  const budget: Budget = { case: 'a', ratio: 'r', bound: 2, direction: 'at least', reason: 'tried' };

  test('pass a check in their direction, with the tolerance', () => {
    expect(passes(budget, 2 * (1 - TOLERANCE))).toBe(true);
    expect(passes(budget, 1.89)).toBe(false);
    expect(passes({ ...budget, direction: 'at most' }, 2 * (1 + TOLERANCE))).toBe(true);
    expect(passes({ ...budget, direction: 'at most' }, 2.11)).toBe(false);
  });

  test('have no tolerance where something is counted', () => {
    expect(passes({ ...budget, isCount: true }, 1.99)).toBe(false);
    expect(passes({ ...budget, isCount: true, direction: 'at most' }, 2)).toBe(true);
    expect(passes({ ...budget, isCount: true, direction: 'at most' }, 2.01)).toBe(false);
  });

  test('are missed by a ratio that does not exist', () => {
    const missing = medianOf({ other: 1, whole: spreadOf([1, 2, 9]) }, 'r');
    expect(passes(budget, missing)).toBe(false);
    expect(passes({ ...budget, direction: 'at most' }, missing)).toBe(false);
    expect(medianOf({ whole: spreadOf([1, 2, 9]) }, 'whole')).toBe(2);
  });

  test('name cases that exist', async () => {
    for (const { case: name } of await loadBudgets()) expect(Object.keys(registry)).toContain(name);
  });
});

test('a difference counts when the rounds agree and it is large enough', () => {
  expect(judgeDifference(spreadOf([1.1, 1.2, 1.05, 1.3, 1.1]))).toBe('differs');
  expect(judgeDifference(spreadOf([0.9, 0.8, 0.95, 0.7, 0.9]))).toBe('differs');
  expect(judgeDifference(spreadOf([1.1, 1.2, 0.99, 1.3, 1.1]))).toBe('within the noise');
  expect(judgeDifference(spreadOf([1.01, 1.01, 1.02, 1.01, 1.01]))).toBe('within the noise');
  expect(judgeDifference(spreadOf([2, 2, 2, 2]))).toBe('too few rounds to say');
  // One in eight may point the other way.
  expect(judgeDifference(spreadOf([1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 0.9]))).toBe('differs');
  expect(judgeDifference(spreadOf([1, 1, 1, 1, 1]))).toBe('within the noise');
});

test('cases are chosen by name and by group; an unknown one is an error', () => {
  const known = ['micro/a', 'micro/b', 'http/a'];
  expect(chooseCases([], known)).toEqual(known);
  expect(chooseCases(['http', 'micro/b'], known)).toEqual(['micro/b', 'http/a']);
  expect(() => chooseCases(['mic'], known)).toThrow('no case mic');
});

test('a case that runs by its name alone is chosen neither with all cases nor with its group', () => {
  const known = ['scale/a', 'scale/long'];
  const alone = new Set(['scale/long']);
  expect(chooseCases([], known, alone)).toEqual(['scale/a']);
  expect(chooseCases(['scale'], known, alone)).toEqual(['scale/a']);
  expect(chooseCases(['scale', 'scale/long'], known, alone)).toEqual(known);
});

test('messages of the Postgres protocol are found however they are cut', () => {
  const message = (type: string, body: string) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([head, Buffer.from(body)]);
  };
  const startup = message('x', 'user').subarray(1);
  const stream = Buffer.concat([startup, message('B', 'SQSQ'), message('E', ''), message('S', '')]);
  for (let cut = 0; cut <= stream.byteLength; cut += 1) {
    let types = '';
    const counter = new MessageCounter((type) => {
      types += String.fromCharCode(type);
    });
    counter.push(stream.subarray(0, cut));
    counter.push(stream.subarray(cut));
    expect(types).toBe('BES');
  }
});
