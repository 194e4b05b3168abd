import { type BenchCase, percentileRatio, valuesOf } from '../cases/case.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { Distributions } from '../measurement/distribution.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import { measureWay, recordWay, startWay, type WayVariant } from './submission-way.ts';

const BURST = { quick: 1_200, full: 2_000 };
const BURST_MS = 1_000;
const CONNECTIONS = 64;
/** Nobody waits at the API: what is measured is the burst itself. */
const WATCHED = 1;

/**
 * 2,000 submissions within a second, open loop. Where that is more than the machine can do, all of them wait for their turn and the
 * latencies grow evenly: their p99 is twice their p50. A p99 far above means that some wait for something else.
 */
export const submissionBurst: BenchCase = async ({ rounds, quick = false, seed = 1 }) => {
  const way = await startWay();
  try {
    const distributions = new Distributions();
    const run = (variant: WayVariant, round: number) => {
      const rate = ((quick ? BURST.quick : BURST.full) * 1_000) / BURST_MS;
      const arrivalsMs = poissonArrivals(rate, BURST_MS, seededRandom(seed * 1_000 + round));
      return measureWay(way, variant, { arrivalsMs, connections: CONNECTIONS, watched: WATCHED });
    };
    const both = [way.ours, way.bare];
    for (const variant of both) await run(variant, 0);
    const figures = await alternate(
      both.map((variant) => {
        let round = 0;
        const next = async () => {
          round += 1;
          const samples = await run(variant, round);
          recordWay(distributions, variant.name, samples);
          return {
            ...percentiles(samples['due → answer'], { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
            ...percentiles(samples['due → node'], { nodeP50Ms: 0.5, nodeP90Ms: 0.9, nodeP99Ms: 0.99 }),
            ...percentiles(samples['confirmed → webhook'], { webhookP50Ms: 0.5, webhookP99Ms: 0.99 }),
          };
        };
        return { name: variant.name, run: next };
      }),
      rounds,
    );
    const [ours, bare] = [way.ours.name, way.bare.name];
    const overMedian = (of: string, to: string) =>
      pairedRatio(valuesOf(figures, ours, of), valuesOf(figures, ours, to));
    return {
      name: `${quick ? BURST.quick : BURST.full} submissions within a second`,
      figures,
      ratios: {
        'due → answer, p99 / p50, ours': overMedian('p99Ms', 'p50Ms'),
        'due → node, p99 / p50, ours': overMedian('nodeP99Ms', 'nodeP50Ms'),
        'due → answer, p99, ours / bare': percentileRatio(figures, ours, bare, 'p99Ms'),
        'due → node, p99, ours / bare': percentileRatio(figures, ours, bare, 'nodeP99Ms'),
      },
      distributions: distributions.encode(),
    };
  } finally {
    await way.environment.close();
  }
};
