/** A percentile with fewer samples above it depends on chance more than on the tail. */
export const SAMPLES_ABOVE_MIN = 10;

/**
 * Percentiles by figure name, e.g. `{ p99Ms: 0.99 }`; nearest rank. A percentile is left out when fewer than ten
 * samples lie above it: a p99 needs more than a thousand samples.
 */
export function percentiles(
  samples: readonly number[],
  shares: Readonly<Record<string, number>>,
): Record<string, number> {
  if (!samples.every(Number.isFinite)) throw new Error('a sample is no number: something was not measured');
  const sorted = Float64Array.from(samples).sort();
  const supported = Object.entries(shares).flatMap(([name, share]) => {
    const rank = Math.floor(sorted.length * share);
    const value = sorted[rank];
    const above = sorted.length - 1 - rank;
    return value === undefined || above < SAMPLES_ABOVE_MIN ? [] : [[name, value] as const];
  });
  return Object.fromEntries(supported);
}
