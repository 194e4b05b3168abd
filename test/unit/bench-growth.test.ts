import { describe, expect, test } from 'bun:test';
import { slope } from '../../bench/memory/long-run.ts';
import { growthOf, growthPerTenfold } from '../../bench/scale/growth.ts';

describe('growth per tenfold', () => {
  const costs = (cost: (size: number) => number) =>
    [1, 10, 100, 100_000].map((size) => ({ size, cost: cost(size) }));

  test('is 1 for constant cost, 10 for linear, and the square root between', () => {
    expect(growthPerTenfold(costs(() => 7))).toBeCloseTo(1, 12);
    expect(growthPerTenfold(costs((size) => 3 * size))).toBeCloseTo(10, 10);
    expect(growthPerTenfold(costs((size) => Math.sqrt(size)))).toBeCloseTo(10 ** 0.5, 10);
    expect(growthPerTenfold(costs((size) => 1 + Math.log10(size)))).toBeGreaterThan(1);
  });

  test('needs two sizes and real costs', () => {
    expect(() => growthPerTenfold([{ size: 10, cost: 1 }])).toThrow('two sizes');
    expect(() => growthPerTenfold(costs(() => 0))).toThrow('not positive');
    expect(() => growthPerTenfold(costs(() => Number.NaN))).toThrow('not positive');
  });

  test('is judged round by round over the variants of the sizes', () => {
    const figures = [1, 10, 100].map((size) => ({
      name: `${size} rows`,
      median: {},
      rounds: [{ us: 5 }, { us: 5 * size }],
    }));
    const variants = [1, 10, 100].map((size) => ({ name: `${size} rows`, size }));
    const { rounds, median } = growthOf(figures, variants, 'us');
    expect(rounds.map((growth) => Math.round(growth * 1e6) / 1e6)).toEqual([1, 10]);
    expect(median).toBeCloseTo(5.5, 6);
    expect(() => growthOf(figures, variants, 'other')).toThrow('no figure other');
  });
});

test('the slope of a run is that of the line of least squares', () => {
  expect(slope([3, 3, 3])).toBe(0);
  expect(slope([1, 3, 5, 7])).toBe(2);
  expect(slope([0, 4, 0, 4, 0])).toBe(0);
});
