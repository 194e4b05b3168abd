import { type BenchCase, percentileRatio, sized, valuesOf, warmsUp } from '../cases/case.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { Distributions } from '../measurement/distribution.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import {
  followSubmissions,
  recordSamples,
  type SubmissionServer,
  startSubmissionStage,
} from './submission-stage.ts';

const BURST = { full: 2_000, quick: 1_200, shortest: 20 };
const BURST_MS = { full: 1_000, quick: 1_000, shortest: 20 };
const CONNECTIONS = 64;
/** No client waits at the API: the burst alone is measured. */
const WATCHED = 1;

/**
 * 2,000 submissions within a second, open loop. Where that is more than the machine can do, all of them wait for their
 * turn and the latencies grow evenly: their p99 is twice their p50. A p99 far above means that some wait for something
 * else.
 */
export const submissionBurst: BenchCase = async (options) => {
  const { rounds, seed = 1 } = options;
  const burst = sized(options, BURST);
  const burstMs = sized(options, BURST_MS);
  const stage = await startSubmissionStage();
  try {
    const distributions = new Distributions();
    const run = (variant: SubmissionServer, round: number) => {
      const rate = (burst * 1_000) / burstMs;
      const arrivalsMs = poissonArrivals(rate, burstMs, seededRandom(seed * 1_000 + round));
      return followSubmissions(stage, variant, { arrivalsMs, connections: CONNECTIONS, watched: WATCHED });
    };
    const both = [stage.ours, stage.bare];
    if (warmsUp(options)) for (const variant of both) await run(variant, 0);
    const figures = await alternate(
      both.map((variant) => {
        let round = 0;
        const next = async () => {
          round += 1;
          const samples = await run(variant, round);
          recordSamples(distributions, variant.name, samples);
          return {
            submissions: samples['due → answer'].length,
            ...percentiles(samples['due → answer'], { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
            ...percentiles(samples['due → node'], { nodeP50Ms: 0.5, nodeP90Ms: 0.9, nodeP99Ms: 0.99 }),
            ...percentiles(samples['confirmed → webhook'], { webhookP50Ms: 0.5, webhookP99Ms: 0.99 }),
          };
        };
        return { name: variant.name, run: next };
      }),
      rounds,
    );
    const [ours, bare] = [stage.ours.name, stage.bare.name];
    const overMedian = (of: string, to: string) =>
      percentileRatio(figures, ours, ours, of) === null
        ? null
        : pairedRatio(valuesOf(figures, ours, of), valuesOf(figures, ours, to));
    return {
      name: `${burst} submissions within a second`,
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
    await stage.environment.close();
  }
};
