import type { Random } from '../measurement/seeded-random.ts';

/**
 * When requests are due, in milliseconds from the start: a Poisson process, like that of independent clients. Computed
 * before the run, so that the server cannot influence it.
 */
export function poissonArrivals(ratePerSecond: number, durationMs: number, random: Random): Float64Array {
  const meanMs = 1000 / ratePerSecond;
  const arrivals: number[] = [];
  for (let atMs = gapMs(meanMs, random); atMs < durationMs; atMs += gapMs(meanMs, random))
    arrivals.push(atMs);
  return Float64Array.from(arrivals);
}

function gapMs(meanMs: number, random: Random): number {
  return -Math.log(1 - random()) * meanMs;
}
