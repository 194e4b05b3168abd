import { valuesOf } from '../cases/case.ts';
import type { Figures } from '../measurement/rounds.ts';
import { type Spread, spreadOf } from '../measurement/statistics.ts';

/** Cost of a call at one size of the data. */
export interface CostAtSize {
  size: number;
  cost: number;
}

/**
 * The factor by which the cost grows when the size grows tenfold: 1 is constant, 10 is linear. The slope of the least
 * squares line through the logarithms, so that every size counts and not only the ends.
 */
export function growthPerTenfold(points: readonly CostAtSize[]): number {
  if (points.some(({ size, cost }) => !(size > 0 && cost > 0)))
    throw new Error('a size or cost is not positive');
  const xs = points.map(({ size }) => Math.log10(size));
  const ys = points.map(({ cost }) => Math.log10(cost));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const varianceX = mean(xs.map((x) => (x - meanX) ** 2));
  if (varianceX === 0) throw new Error('growth needs two sizes');
  return 10 ** (mean(xs.map((x, at) => (x - meanX) * ((ys[at] ?? Number.NaN) - meanY))) / varianceX);
}

/** Growth of a figure over the variants that were measured at those sizes, round by round. */
export function growthOf(
  figures: readonly Figures[],
  variants: readonly { name: string; size: number }[],
  figure: string,
): Spread {
  const costs = variants.map(({ name, size }) => ({ size, rounds: valuesOf(figures, name, figure) }));
  const [first] = costs;
  if (first === undefined) throw new Error('growth needs two sizes');
  return spreadOf(
    first.rounds.map((_, round) =>
      growthPerTenfold(costs.map(({ size, rounds }) => ({ size, cost: rounds[round] ?? Number.NaN }))),
    ),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
