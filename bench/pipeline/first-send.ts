import { type BenchCase, percentileRatio, sized, valuesOf, warmsUp } from '../cases/case.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { Distributions } from '../measurement/distribution.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { spreadOf } from '../measurement/statistics.ts';
import {
  followSubmissions,
  joinSamples,
  recordSamples,
  type SubmissionSamples,
  type SubmissionServer,
  startSubmissionStage,
} from './submission-stage.ts';

const LOW_RATE = 20;
const HIGH_RATE = 200;
const CONNECTIONS = 16;
/** Intents of a round for which a client waits at the API. */
const WATCHED = 50;
/** Long enough for a median at the low rate, and in full for a p99 at the high one. */
const ROUND_MS_MIN = { full: 6_000, quick: 1_500, shortest: 100 };
/** Samples of all rounds at the low rate together, for one p99; a round is several runs where it takes that. */
const LOW_RATE_SAMPLES = 1_100;

/** Figures by step; a percentile that a round has too few samples for is left out. */
const FIGURES: readonly (readonly [step: keyof SubmissionSamples, prefix: string])[] = [
  ['due → answer', 'answer'],
  ['due → node', 'node'],
  ['answer → node', 'afterAnswer'],
  ['confirmed → visible', 'visible'],
  ['confirmed → webhook', 'webhook'],
  ['due → webhook', 'whole'],
];
/** Ratios to the bare process by name: figure and rate. */
const RATIOS: readonly (readonly [name: string, figure: string, rate: number])[] = [
  ['due → answer, p50 at 20/s', 'answerP50Ms', 20],
  ['due → answer, p50 at 200/s', 'answerP50Ms', 200],
  ['due → node, p50 at 20/s', 'nodeP50Ms', 20],
  ['due → node, p50 at 200/s', 'nodeP50Ms', 200],
  ['due → node, p99 at 200/s', 'nodeP99Ms', 200],
  ['confirmed → visible, p50 at 20/s', 'visibleP50Ms', 20],
  ['confirmed → webhook, p50 at 20/s', 'webhookP50Ms', 20],
  ['confirmed → webhook, p50 at 200/s', 'webhookP50Ms', 200],
];

const variantName = ({ name }: SubmissionServer, rate: number) => `${name}, ${rate}/s`;

/**
 * A submission from the moment it is due to its webhook, open loop: the answer, the first `sendTransaction` at the node
 * whoever sends it, the result at the API and the first byte at the subscriber after the node has confirmed it. The
 * limit is one bare process that does the same with one row and without a product around it.
 */
export const firstSend: BenchCase = async (options) => {
  const { rounds, roundMs, quick = false, seed = 1 } = options;
  const stage = await startSubmissionStage();
  try {
    const durationMs = Math.max(roundMs, sized(options, ROUND_MS_MIN));
    const distributions = new Distributions();
    const run = (variant: SubmissionServer, rate: number, number: number) => {
      const arrivalsMs = poissonArrivals(rate, durationMs, seededRandom(seed * 1_000 + number));
      return followSubmissions(stage, variant, { arrivalsMs, connections: CONNECTIONS, watched: WATCHED });
    };
    const lowRateSamples = LOW_RATE * (durationMs / 1_000) * rounds;
    const lowRateRuns = quick ? 1 : Math.ceil(LOW_RATE_SAMPLES / lowRateSamples);
    const both = [stage.ours, stage.bare];
    // A first round that is not counted warms every process up.
    if (warmsUp(options)) for (const variant of both) await run(variant, HIGH_RATE, 0);
    const figures = await alternate(
      [LOW_RATE, HIGH_RATE].flatMap((rate) =>
        both.map((variant) => {
          let number = 0;
          const next = async () => {
            const runs: SubmissionSamples[] = [];
            for (let left = rate === LOW_RATE ? lowRateRuns : 1; left > 0; left -= 1) {
              number += 1;
              runs.push(await run(variant, rate, number));
            }
            const samples = joinSamples(runs);
            recordSamples(distributions, variantName(variant, rate), samples);
            return figuresOf(samples);
          };
          return { name: variantName(variant, rate), run: next };
        }),
      ),
      rounds,
    );
    const ratios = RATIOS.map(([name, figure, rate]) => [
      `${name}, ours / bare`,
      percentileRatio(figures, variantName(stage.ours, rate), variantName(stage.bare, rate), figure),
    ]);
    const [p99, bareP99] = both.map((variant) =>
      distributions.percentileMs(variantName(variant, LOW_RATE), 'due → node', 0.99),
    );
    const ours = variantName(stage.ours, LOW_RATE);
    // A ratio to itself: null where a round had too few samples.
    const hasWebhook = percentileRatio(figures, ours, ours, 'webhookP50Ms') !== null;
    return {
      name: 'submission due → answer → node → confirmed → visible → webhook',
      figures,
      ratios: {
        ...Object.fromEntries(ratios),
        'due → node, p99 at 20/s over all rounds, ours / bare': p99 && bareP99 ? p99 / bareP99 : null,
        'confirmed → webhook, p50 at 20/s, ms': hasWebhook
          ? spreadOf(valuesOf(figures, ours, 'webhookP50Ms'))
          : null,
      },
      distributions: distributions.encode(),
    };
  } finally {
    await stage.environment.close();
  }
};

function figuresOf(samples: SubmissionSamples): Record<string, number> {
  return Object.assign(
    { submissions: samples['due → answer'].length },
    ...FIGURES.map(([step, prefix]) =>
      percentiles(samples[step], {
        [`${prefix}P50Ms`]: 0.5,
        [`${prefix}P90Ms`]: 0.9,
        [`${prefix}P99Ms`]: 0.99,
      }),
    ),
  );
}
