import { wait } from '../../src/shared/loop.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate, quantile } from '../measurement/rounds.ts';
import { openWork } from '../soak/findings.ts';
import { commitAtRate } from './commit-events.ts';
import { type Rig, startRig } from './environment.ts';
import { useEndpoints } from './store-endpoints.ts';

const ENDPOINTS = 50;
const RATES_PER_SECOND = [20, 200] as const;
/** Fewer events than this have no p99. */
const ROUND_MS_MIN = { quick: 600, full: 2_000 };
const NEVER = new AbortController().signal;

/**
 * From the commit of an event to the first byte at its subscriber, open loop, each event to one of 50 endpoints. Beside
 * it: how long the commits themselves took, because a machine whose disk is slow or busy shows there first.
 */
export const firstByte: BenchCase = async ({ rounds, roundMs, quick = false }) => {
  const rig = await startRig();
  try {
    const accountIds = await useEndpoints(rig.sql, rig.subscribers.origin, ENDPOINTS, rig.secretKey);
    const durationMs = Math.max(roundMs, quick ? ROUND_MS_MIN.quick : ROUND_MS_MIN.full);
    const run = (rate: number) => measure(rig, accountIds, rate, durationMs);
    // The first round finds every process cold and every endpoint new.
    await run(RATES_PER_SECOND[0]);
    const figures = await alternate(
      RATES_PER_SECOND.map((rate) => ({ name: `${rate} events/s`, run: () => run(rate) })),
      rounds,
    );
    return {
      name: `event committed → first byte at the subscriber, ${ENDPOINTS} endpoints`,
      figures,
      ratios: { 'p50, 200 / 20 events/s': ratio(figures, '200 events/s', '20 events/s', 'p50Ms') },
    };
  } finally {
    await rig.close();
  }
};

async function measure(rig: Rig, accountIds: readonly string[], rate: number, durationMs: number) {
  await rig.subscribers.keep();
  const before = await rig.subscribers.count();
  const { atMs, commitMs } = await commitAtRate(rig, accountIds, rate, durationMs);
  await rig.subscribers.untilCount(before + atMs.size);
  const arrivals = await rig.subscribers.arrivals();
  // Of a delivery that was repeated the first arrival counts.
  const latenciesMs = [...new Map(arrivals.reverse().map(({ id, atMs: at }) => [id, at]))].map(
    ([id, at]) => at - (atMs.get(id) ?? Number.NaN),
  );
  while ((await openWork(rig.sql)) > 0) await wait(20, NEVER);
  return {
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    commitP50Ms: quantile(commitMs, 0.5),
    commitP99Ms: quantile(commitMs, 0.99),
  };
}
