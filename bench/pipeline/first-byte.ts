import { type BenchCase, percentileRatio, sized } from '../cases/case.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate, type Figures } from '../measurement/rounds.ts';
import { pairedRatio, type Spread } from '../measurement/statistics.ts';
import { commitAtRate } from './commit-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { replaceEndpoints } from './store-endpoints.ts';

const ENDPOINTS = 50;
const RATES_PER_SECOND = [20, 200] as const;
/** A full round at the high rate has the thousand samples of a p99; a quick one has a median at the low rate. */
const ROUND_MS_MIN = { full: 6_000, quick: 1_200, shortest: 50 };

const PROMISED_MS = { p50: 3, p99: 15 };

/**
 * From the commit of an event to the first byte at its subscriber, open loop, each event to one of 50 endpoints. The
 * duration of the commits is reported as well: it shows a slow or busy disk.
 */
export const firstByte: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  const environment = await createPipelineEnvironment();
  try {
    const accountIds = await replaceEndpoints(
      environment.sql,
      environment.subscribers.origin,
      ENDPOINTS,
      environment.secretKey,
    );
    const durationMs = Math.max(roundMs, sized(options, ROUND_MS_MIN));
    const run = (rate: number) => measure(environment, accountIds, rate, durationMs);
    // A first round that is not counted warms up every process and endpoint.
    if (options.shortest !== true) await run(RATES_PER_SECOND[0]);
    const figures = await alternate(
      RATES_PER_SECOND.map((rate) => ({ name: `${rate} events/s`, run: () => run(rate) })),
      rounds,
    );
    return {
      name: `event committed → first byte at the subscriber, ${ENDPOINTS} endpoints`,
      figures,
      ratios: {
        'p50, 200 / 20 events/s': percentileRatio(figures, '200 events/s', '20 events/s', 'p50Ms'),
        'p50 at 200/s / 3 ms': partOf(figures, 'p50Ms', PROMISED_MS.p50),
        'p99 at 200/s / 15 ms': partOf(figures, 'p99Ms', PROMISED_MS.p99),
      },
    };
  } finally {
    await environment.close();
  }
};

/** A percentile at the high rate as a part of what it may be; null when a round had too few samples. */
function partOf(figures: readonly Figures[], percentile: string, promisedMs: number): Spread | null {
  const rounds = figures.find(({ name }) => name === '200 events/s')?.rounds ?? [];
  const measured = rounds.flatMap(({ [percentile]: ms }) => (ms === undefined ? [] : [ms]));
  if (measured.length < rounds.length || rounds.length === 0) return null;
  return pairedRatio(
    measured,
    measured.map(() => promisedMs),
  );
}

async function measure(
  environment: PipelineEnvironment,
  accountIds: readonly string[],
  rate: number,
  durationMs: number,
) {
  await environment.subscribers.startRecording();
  const before = await environment.subscribers.count();
  const { atMs, commitMs } = await commitAtRate(environment, accountIds, rate, durationMs);
  await environment.subscribers.untilCount(before + atMs.size);
  const arrivals = await environment.subscribers.firstArrivals();
  const latenciesMs = [...arrivals].map(([id, at]) => at - (atMs.get(id) ?? Number.NaN));
  if (latenciesMs.length !== atMs.size)
    throw new Error(`${latenciesMs.length} of ${atMs.size} events arrived`);
  await untilNoOpenWork(environment.sql, 20);
  return {
    events: atMs.size,
    ...percentiles(latenciesMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
    ...percentiles(commitMs, { commitP50Ms: 0.5, commitP90Ms: 0.9, commitP99Ms: 0.99 }),
  };
}
