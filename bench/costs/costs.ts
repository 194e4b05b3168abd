import { type BenchCase, sized } from '../cases/case.ts';
import { createBenchEnvironment, STREAM_LIMITS } from '../cases/environment.ts';
import { createIntentSource } from '../http/prepared-intents.ts';
import { storeToken } from '../http/stored-token.ts';
import { medians } from '../measurement/statistics.ts';
import { residentMb } from '../memory/resident-size.ts';
import { createBenchTokens } from '../pipeline/create-bench-tokens.ts';
import { measureDeliveries, measureEndpoints } from './deliveries.ts';
import {
  createTradeFeed,
  measureStreams,
  measureTrades,
  openPoolStage,
  requireNoneRejected,
} from './market.ts';
import { createMeter } from './meters.ts';
import { measureReads } from './reads.ts';
import { measureSubmissions, openSwapStage } from './writes.ts';

/** Each measurement takes a second of CPU time and more, so that compilation and the ticks of the clock weigh little. */
const COUNTS = {
  full: {
    cached: 30_000,
    uncached: 2_000,
    submissions: 1_500,
    warmSwaps: 2_000,
    swaps: 1_000,
    trades: 10_000,
    readers: 500,
    messages: 60,
    endpoints: 100,
    events: 60,
    trading: 20,
    quiet: 200,
    poolTrades: 300,
    known: 20_000,
  },
  quick: {
    cached: 10_000,
    uncached: 500,
    submissions: 300,
    warmSwaps: 200,
    swaps: 100,
    trades: 2_000,
    readers: 100,
    messages: 20,
    endpoints: 50,
    events: 20,
    trading: 5,
    quiet: 20,
    poolTrades: 40,
    known: 2_000,
  },
  shortest: {
    cached: 20,
    uncached: 5,
    submissions: 5,
    warmSwaps: 2,
    swaps: 2,
    trades: 20,
    readers: 5,
    messages: 2,
    endpoints: 3,
    events: 2,
    trading: 2,
    quiet: 2,
    poolTrades: 3,
    known: 5,
  },
};
const ROUNDS_MAX = 3;
const IDLE_MS = { full: 3_000, quick: 2_000, shortest: 50 };

/**
 * What one read, submission, trade, delivery and stream message costs each process and server: the figures of
 * `npm run capacity`. Processes and servers are those of the product; their CPU time counts, not the time that passes.
 */
export const costs: BenchCase = async (options) => {
  const counts = sized(options, COUNTS);
  const environment = await createBenchEnvironment();
  const pools = await createBenchEnvironment();
  let feed: ReturnType<typeof createTradeFeed> | undefined;
  let swaps: Awaited<ReturnType<typeof openSwapStage>> | undefined;
  let market: Awaited<ReturnType<typeof openPoolStage>> | undefined;
  try {
    const { database } = environment;
    const mint = await storeToken(database);
    await createBenchTokens(database);
    const subscribers = await environment.startSubscribers();
    const processes = {
      api: await environment.startApi(STREAM_LIMITS),
      worker: await environment.startWorker(),
      relay: await environment.startRelay(),
    };
    const { api, worker, relay } = processes;
    const source = await createIntentSource(database);
    feed = createTradeFeed(environment);
    swaps = await openSwapStage(environment);
    const idleMs = sized(options, IDLE_MS);
    market = await openPoolStage(pools, { ...counts, idleMs });
    // Code is compiled and connections are open before anything counts.
    await measureSubmissions(environment, api, source, counts.submissions, (work) => unmeasured(work));
    await measureReads(environment, api, mint, counts, (work) => unmeasured(work));
    await feed.feed(counts.trades);
    await swaps.warm(counts.warmSwaps, idleMs);
    await market.measure(counts.poolTrades);
    const memory = {
      apiMb: residentMb(api.pid).nowMb,
      workerMb: residentMb(worker.pid).nowMb,
      relayMb: residentMb(relay.pid).nowMb,
    };
    const { meter, idle } = await createMeter(environment, processes, idleMs);
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < Math.min(options.rounds, ROUNDS_MAX); round += 1) {
      // Rows that were replaced leave their space to new ones, as autovacuum sees to it in a database that runs for long.
      await database.unsafe('vacuum');
      const trades = await measureTrades(api, feed, { quietMint: mint, trades: counts.trades }, meter);
      rounds.push({
        ...memory,
        idleApiMs: idle.apiMs,
        idleWorkerMs: idle.workerMs,
        idleRelayMs: idle.relayMs,
        ...(await measureReads(environment, api, mint, counts, meter)),
        ...(await swaps.measure(counts.swaps)),
        ...(await measureSubmissions(environment, api, source, counts.submissions, meter)),
        ...trades,
        ...(await market.measure(counts.poolTrades)),
        ...(await measureDeliveries(environment, subscribers, counts, meter)),
        ...(await measureStreams(
          api,
          feed,
          { readers: counts.readers, trades: counts.messages, followUs: trades.tradeFollowApiUs },
          meter,
        )),
      });
    }
    await requireNoneRejected(environment.natsUrl);
    const ofEndpoints = await measureEndpoints(environment, relay, subscribers, counts.known);
    for (const round of rounds) Object.assign(round, ofEndpoints);
    return {
      name: 'CPU time, bytes and calls of one item, by process',
      figures: [{ name: 'costs', median: medians(rounds), rounds }],
      ratios: {},
    };
  } finally {
    await feed?.close();
    swaps?.stop();
    await market?.stop();
    await environment.close();
    await pools.close();
  }
};

/** Runs the work; nothing has been taken. */
async function unmeasured(work: () => Promise<unknown>) {
  await work();
  return {
    apiMs: 0,
    workerMs: 0,
    relayMs: 0,
    postgresMs: 0,
    natsMs: 0,
    walBytes: 0,
    nodeCalls: 0,
    keptBytes: 0,
  };
}
