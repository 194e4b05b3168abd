import { type BenchCase, percentileRatio } from '../cases/case.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { commitAtRate } from './commit-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { useEndpoints } from './store-endpoints.ts';

const ENDPOINTS = 50;
const RATES_PER_SECOND = [20, 200] as const;
/** Long enough for a median at the low rate. */
const ROUND_MS_MIN = { quick: 1_200, full: 2_000 };

/**
 * From the commit of an event to the first byte at its subscriber, open loop, each event to one of 50 endpoints. Beside
 * it: how long the commits themselves took, because a machine whose disk is slow or busy shows there first.
 */
export const firstByte: BenchCase = async ({ rounds, roundMs, quick = false }) => {
  const environment = await createPipelineEnvironment();
  try {
    const accountIds = await useEndpoints(
      environment.sql,
      environment.subscribers.origin,
      ENDPOINTS,
      environment.secretKey,
    );
    const durationMs = Math.max(roundMs, quick ? ROUND_MS_MIN.quick : ROUND_MS_MIN.full);
    const run = (rate: number) => measure(environment, accountIds, rate, durationMs);
    // The first round finds every process cold and every endpoint new.
    await run(RATES_PER_SECOND[0]);
    const figures = await alternate(
      RATES_PER_SECOND.map((rate) => ({ name: `${rate} events/s`, run: () => run(rate) })),
      rounds,
    );
    return {
      name: `event committed → first byte at the subscriber, ${ENDPOINTS} endpoints`,
      figures,
      ratios: { 'p50, 200 / 20 events/s': percentileRatio(figures, '200 events/s', '20 events/s', 'p50Ms') },
    };
  } finally {
    await environment.close();
  }
};

async function measure(
  environment: PipelineEnvironment,
  accountIds: readonly string[],
  rate: number,
  durationMs: number,
) {
  await environment.subscribers.keep();
  const before = await environment.subscribers.count();
  const { atMs, commitMs } = await commitAtRate(environment, accountIds, rate, durationMs);
  await environment.subscribers.untilCount(before + atMs.size);
  const arrivals = await environment.subscribers.arrivals();
  // Of a delivery that was repeated the first arrival counts.
  const latenciesMs = [...new Map(arrivals.reverse().map(({ id, atMs: at }) => [id, at]))].map(
    ([id, at]) => at - (atMs.get(id) ?? Number.NaN),
  );
  await untilNoOpenWork(environment.sql, 20);
  return {
    ...percentiles(latenciesMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
    ...percentiles(commitMs, { commitP50Ms: 0.5, commitP90Ms: 0.9, commitP99Ms: 0.99 }),
  };
}
