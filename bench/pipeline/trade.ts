import { Keypair } from '@solana/web3.js';
import { NOMINAL_SLOT_MS } from '../../src/chain/pace/protocol.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { type BenchCase, percentileRatio, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { startTradedChain } from '../http/traded-chain.ts';
import { Distributions } from '../measurement/distribution.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { createBareTrader } from './bare-trader.ts';
import { Journey } from './journey.ts';
import { createProductTrader } from './product-trader.ts';

const TWO = 'ours, two requests';
const FOUR = 'ours, four requests as before';
const BARE = 'bare process (limit)';
/** A client beside the service and its node, and one on the same continent. */
const DISTANCES_MS = { full: [0, 50], quick: [0], shortest: [0, 50] };
/** Trades of a variant in a round, divided among lanes that each have one at a time. */
const TRADES = { full: 200, quick: 24, shortest: 1 };
const LANES = 8;
const AMOUNT_RAW = 1_000_000n;
const READY_ATTEMPTS = 50;
const READY_PAUSE_MS = 100;

const variantName = (name: string, distanceMs: number) => `${name}, ${distanceMs} ms away`;

/**
 * A whole trade without its quote: from the first request of a client until the client knows that it has landed, in
 * milliseconds and round trips. The limit is a bare process that builds, signs and sends itself, with a node of its own
 * at the same distance. The chain has slots of mainnet's length, which every variant waits for.
 */
export const trade: BenchCase = async (options) => {
  const { rounds, seed = 1 } = options;
  const environment = await createBenchEnvironment();
  try {
    const { facts } = await startTradedChain(environment);
    const wallet = Keypair.fromSecretKey(Buffer.from(facts.walletKey, 'base64'));
    const node = { SOLANA_RPC_URL: facts.rpcUrl };
    const [api] = await finishAll([environment.startApi(node), environment.startWorker(node)]);
    const { header } = await createTestKey(environment.database, { walletAddress: facts.wallet });
    const product = createProductTrader({
      baseUrl: `http://127.0.0.1:${api.port}/api/v2`,
      header,
      mint: facts.mint,
      wallet,
      order: { side: 'buy', amountRaw: String(AMOUNT_RAW), slippageBps: 1_000 },
    });
    const bare = await createBareTrader({ ...facts, wallet, amountRaw: AMOUNT_RAW });
    await untilReady(product.inTwoRequests);

    const random = seededRandom(seed);
    const distributions = new Distributions();
    const trades = sized(options, TRADES);
    const variants = [
      { name: TWO, run: product.inTwoRequests },
      { name: FOUR, run: product.inFourRequests },
      { name: BARE, run: bare.trade },
    ];
    const distancesMs = sized(options, DISTANCES_MS);
    const figures = await alternate(
      distancesMs.flatMap((distanceMs) =>
        variants.map(({ name, run }) => ({
          name: variantName(name, distanceMs),
          async run() {
            const samples = await measure(run, { trades, distanceMs, random });
            const landedMs = samples.map(({ ms }) => ms);
            distributions.record(variantName(name, distanceMs), 'request 1 → landing seen', landedMs);
            return {
              roundTrips: samples.reduce((sum, { roundTrips }) => sum + roundTrips, 0) / samples.length,
              ...percentiles(landedMs, { landedP50Ms: 0.5, landedP90Ms: 0.9 }),
            };
          },
        })),
      ),
      rounds,
    );
    bare.close();
    const p50 = (of: string, to: string, distanceMs: number) =>
      percentileRatio(figures, variantName(of, distanceMs), variantName(to, distanceMs), 'landedP50Ms');
    return {
      name: `trade: request 1 → landing seen by the client; ${LANES} lanes, slots of ${NOMINAL_SLOT_MS} ms`,
      figures,
      ratios: Object.fromEntries(
        distancesMs.flatMap((distanceMs) => [
          [`p50 at ${distanceMs} ms, two requests / bare`, p50(TWO, BARE, distanceMs)],
          [`p50 at ${distanceMs} ms, two requests / four`, p50(TWO, FOUR, distanceMs)],
        ]),
      ),
      distributions: distributions.encode(),
    };
  } finally {
    await environment.close();
  }
};

interface MeasureOptions {
  trades: number;
  distanceMs: number;
  random: () => number;
}

async function measure(
  run: (journey: Journey) => Promise<void>,
  { trades, distanceMs, random }: MeasureOptions,
): Promise<{ ms: number; roundTrips: number }[]> {
  const samples: { ms: number; roundTrips: number }[] = [];
  await inLanes(LANES, trades, async () => {
    // Otherwise all trades would begin at the start of a slot.
    await Bun.sleep(random() * NOMINAL_SLOT_MS);
    const journey = new Journey(distanceMs);
    const beganAtMs = performance.now();
    await run(journey);
    samples.push({ ms: performance.now() - beganAtMs, roundTrips: journey.roundTrips });
  });
  return samples;
}

/** A first trade: the api waits for the head of its chain, and the worker for its subscriptions. */
async function untilReady(run: (journey: Journey) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(new Journey(0));
    } catch (error) {
      if (attempt === READY_ATTEMPTS) throw error;
      await Bun.sleep(READY_PAUSE_MS);
    }
  }
}
