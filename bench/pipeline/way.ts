import { NOMINAL_SLOT_MS } from '../../src/chain/pace/protocol.ts';
import { type BenchCase, sized, warmsUp } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { Distributions } from '../measurement/distribution.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { percentiles } from '../measurement/percentiles.ts';
import type { Figures } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { medians } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';
import { untilNoOpenWork } from './open-work.ts';
import {
  CONFIRMED,
  type Moments,
  openTradingStage,
  type StagedTrade,
  type TradingStage,
} from './trading-stage.ts';

/** Trades of a round, divided among lanes that each have one at a time; all rounds of a full run together make a p99. */
const TRADES = { full: 200, quick: 24, shortest: 1 };
const LANES = 8;
const POLL_MS = 20;
const WAY = 'quote → swap → submission → landing → stream → webhook';

/** Steps in the order of the waterfall. The last four begin at the landing, beside each other. */
const STEPS: readonly (readonly [name: string, from: keyof Moments, to: keyof Moments])[] = [
  ['1 quote', 'began', 'quoted'],
  ['2 swap prepared', 'quoted', 'prepared'],
  ['3 signed by the client', 'prepared', 'signed'],
  ['4 submission answered', 'signed', 'submitted'],
  ['5 landed, as the node reports', 'submitted', 'landed'],
  ['6 result at the API (Prefer: wait)', 'landed', 'result'],
  ['6 intent on the stream', 'landed', 'intentStreamed'],
  ['6 trade on the stream', 'landed', 'tradeStreamed'],
  ['6 webhook at the subscriber', 'landed', 'webhook'],
  ['whole: began → webhook', 'began', 'webhook'],
];

/**
 * A whole trade as one waterfall: each step with the moment at which it begins and the time that it takes. The chain has
 * slots of mainnet's length, so step 5 is mostly a wait for the next one.
 */
export const way: BenchCase = async (options) => {
  const { rounds, seed = 1 } = options;
  const environment = await createBenchEnvironment();
  try {
    const stage = await openTradingStage(environment);
    const random = seededRandom(seed);
    const distributions = new Distributions();
    const trades = sized(options, TRADES);
    if (warmsUp(options)) await tradeAll(stage, LANES, random);
    const measured: Moments[][] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await tradeAll(stage, trades, random));
    stage.close();
    const figures = STEPS.map(([name, from, to]): Figures => {
      const perRound = measured.map((moments) => {
        const tookMs = moments.map((of) => Math.max(0, of[to] - of[from]));
        const beginsMs = moments.map((of) => of[from] - of.began);
        distributions.record(WAY, name, tookMs);
        return {
          trades: moments.length,
          ...percentiles(beginsMs, { beginsP50Ms: 0.5 }),
          ...percentiles(tookMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
        };
      });
      return { name, median: medians(perRound), rounds: perRound };
    });
    const p99 = Object.fromEntries(
      STEPS.map(([name]) => [
        `p99 over all rounds, ${name}, ms`,
        distributions.percentileMs(WAY, name, 0.99),
      ]),
    );
    return {
      name: `one trade as a waterfall: ${WAY}; ${LANES} lanes, slots of ${NOMINAL_SLOT_MS} ms`,
      figures,
      ratios: p99,
      distributions: distributions.encode(),
    };
  } finally {
    await environment.close();
  }
};

/** Trades in lanes; returns the moments of each when its stream messages and its webhook have come. */
async function tradeAll(stage: TradingStage, trades: number, random: () => number): Promise<Moments[]> {
  const { environment, subscribers, seen } = stage;
  await subscribers.startRecording();
  const before = await subscribers.count();
  const done: StagedTrade[] = [];
  await inLanes(LANES, trades, async () => {
    // Otherwise all trades would begin at the start of a slot.
    await Bun.sleep(random() * NOMINAL_SLOT_MS);
    done.push(await stage.trade());
  });
  await subscribers.untilCount(before + trades);
  const isStreamed = ({ intentId, signature }: StagedTrade) =>
    seen.intents.has(intentId) && seen.trades.has(signature);
  await until('all intents and trades are streamed', () => done.every(isStreamed), { pollMs: POLL_MS });
  const arrivals = await subscribers.firstArrivals();
  await untilNoOpenWork(environment.database, POLL_MS);
  const events = await environment.database<{ id: string; subject: string }[]>`
    select id::text, subject from events where type = ${CONFIRMED}`;
  const intentOf = new Map(events.map(({ id, subject }) => [id, subject]));
  const webhooks = new Map([...arrivals].map(([id, atMs]) => [intentOf.get(id) ?? id, atMs]));
  return done.map(({ intentId, signature, moments }) => ({
    ...moments,
    intentStreamed: seen.intents.get(intentId) ?? Number.NaN,
    tradeStreamed: seen.trades.get(signature) ?? Number.NaN,
    webhook: webhooks.get(intentId) ?? Number.NaN,
  }));
}
