import { PoolChain, type PoolToken } from '../../test/support/market/pool-chain.ts';
import { type BenchCase, type CaseOptions, sized } from '../cases/case.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../cases/environment.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { startCountingNode } from '../measurement/counting-node.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { medians } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';

const SIZES = {
  full: { pools: 10_000, trading: 200 },
  quick: { pools: 500, trading: 50 },
  shortest: { pools: 4, trading: 2 },
};
const TRADES_PER_SECOND = { full: 10, quick: 8, shortest: 20 };
/** A p99 needs a good thousand samples: 120 s at 10 trades a second. */
const SECONDS = { full: 120, quick: 15, shortest: 0.2 };
const ROUNDS_MAX = { full: 2, quick: 1, shortest: 1 };
/** Trades of one pool, as fast as they land: some two slots. */
const BURST = { full: 300, quick: 300, shortest: 5 };
const BURSTS = { full: 3, quick: 1, shortest: 1 };
const PAGE = 100;
const BURST_POLL_MS = 50;
const POLL_MS = 10;
/** Share of the time waited so far: asking more often for late trades would delay everything. */
const POLL_SHARE = 0.1;
const READ_TIMEOUT_MS = 60_000;
/** The required limits, by which the figures are divided. */
const LIMITS = { p50Ms: 250, p99Ms: 1_000, burstMs: 1_000, requestsPerSecond: 50 };

/**
 * Time from `confirmed` until a trade is in the API's list, with many pools of which some trade, and what the nodes are
 * asked: all requests of the worker in its busiest second. A burst in one pool counts by the trade that took longest.
 */
export const poolScale: BenchCase = async (options) => {
  const { rounds, seed = 1 } = options;
  const { pools, trading } = sizeOf(options);
  const environment = await createBenchEnvironment();
  const market = await PoolChain.start();
  const node = startCountingNode(market.chain.rpcUrl);
  try {
    for (let at = 0; at < trading; at += 1) market.launch();
    for (let at = trading; at < pools; at += 1) market.addQuiet();
    await storePoolTokens(environment, [...market.launched, ...market.quiet]);
    const worker = await environment.startWorker({
      SOLANA_RPC_URL: node.url,
      SOLANA_WS_URL: market.chain.socketUrl,
    });
    const api = await environment.startApi({ SOLANA_RPC_URL: market.chain.rpcUrl });
    await untilProven(worker.port, pools);
    const random = seededRandom(seed);
    const measured: Record<string, number>[] = [];
    for (let round = 0; round < Math.min(rounds, sized(options, ROUNDS_MAX)); round += 1) {
      node.reset();
      const arrivals = poissonArrivals(
        sized(options, TRADES_PER_SECOND),
        sized(options, SECONDS) * 1_000,
        random,
      );
      const latencies = await tradeAll(market, api.port, arrivals, random);
      const requestsPerSecond = node.average();
      const bursts: number[] = [];
      for (let at = 0; at < sized(options, BURSTS); at += 1)
        bursts.push(await burst(market, api.port, at, sized(options, BURST)));
      measured.push({
        ...percentiles(latencies, { p50Ms: 0.5, p99Ms: 0.99 }),
        maxMs: Math.max(...latencies),
        requestsPerSecond,
        requestsInBusiestSecond: node.busiestSecond(),
        burstMaxMs: Math.max(...bursts),
      });
    }
    const median = medians(measured);
    return {
      name: `from confirmed to the API, ${pools} pools of which ${trading} trade`,
      figures: [{ name: 'ours', median, rounds: measured }],
      ratios: {
        'p50 / 250 ms': shareOf(median.p50Ms, LIMITS.p50Ms),
        'p99 / 1 s': shareOf(median.p99Ms, LIMITS.p99Ms),
        'burst of 300 / 1 s': shareOf(median.burstMaxMs, LIMITS.burstMs),
        'requests of the busiest second / 50': shareOf(
          median.requestsInBusiestSecond,
          LIMITS.requestsPerSecond,
        ),
      },
    };
  } finally {
    await environment.close();
    node.stop();
    await market.chain.stop();
  }
};

/** One pool in fifty trades, 200 at most, as in the sizes of the case. */
function sizeOf(options: CaseOptions): { pools: number; trading: number } {
  const { rows } = options;
  if (rows === undefined) return sized(options, SIZES);
  return { pools: rows, trading: Math.min(SIZES.full.trading, Math.ceil(rows / 50)) };
}

function shareOf(figure: number | undefined, limit: number): number | null {
  return figure === undefined ? null : figure / limit;
}

/** Trades at their times; returns how long after `confirmed` each was in the API's list. */
async function tradeAll(
  market: PoolChain,
  port: number,
  arrivals: Float64Array,
  random: () => number,
): Promise<number[]> {
  const startedAtMs = performance.now();
  const reads: Promise<number>[] = [];
  for (const atMs of arrivals) {
    await Bun.sleep(Math.max(0, startedAtMs + atMs - performance.now()));
    reads.push(readAfter(port, market.trade(Math.floor(random() * market.launched.length))));
  }
  return Promise.all(reads);
}

async function readAfter(
  port: number,
  { mintAddress, signature, confirmedAtMs }: ReturnType<PoolChain['trade']>,
) {
  const fromMs = await confirmedAtMs;
  const url = `http://127.0.0.1:${port}/api/v2/tokens/${mintAddress}/trades?limit=20`;
  for (;;) {
    const text = await (await fetch(url)).text();
    const nowMs = performance.now();
    if (text.includes(signature)) return nowMs - fromMs;
    if (nowMs - fromMs > READ_TIMEOUT_MS) throw new Error(`trade ${signature} was not read`);
    await Bun.sleep(Math.max(POLL_MS, (nowMs - fromMs) * POLL_SHARE));
  }
}

/** Trades as fast as the chain takes them, all in one pool; the longest from `confirmed` to the API's list. */
async function burst(market: PoolChain, port: number, at: number, trades: number): Promise<number> {
  const confirmedAtMs = new Map<string, number>();
  const mintAddress = market.launched[at % market.launched.length]?.mintAddress ?? '';
  let waiting = trades;
  const trading = (async () => {
    for (let count = 0; count < trades; count += 1) {
      const { signature, confirmedAtMs: confirmed } = market.trade(at);
      void confirmed.then((atMs) => confirmedAtMs.set(signature, atMs));
      // The chain's node, in this process, responds meanwhile.
      await new Promise(setImmediate);
    }
  })();
  let longestMs = 0;
  const fromMs = performance.now();
  while (waiting > 0) {
    const listed = await listNewest(port, mintAddress, trades);
    const nowMs = performance.now();
    for (const signature of listed) {
      const atMs = confirmedAtMs.get(signature);
      if (atMs === undefined) continue;
      longestMs = Math.max(longestMs, nowMs - atMs);
      confirmedAtMs.delete(signature);
      waiting -= 1;
    }
    if (nowMs - fromMs > READ_TIMEOUT_MS) throw new Error(`${waiting} trades of a burst were not read`);
    await Bun.sleep(BURST_POLL_MS);
  }
  await trading;
  return longestMs;
}

/** Signatures of the newest trades, page by page. */
async function listNewest(port: number, mintAddress: string, count: number): Promise<string[]> {
  const signatures: string[] = [];
  let cursor = '';
  while (signatures.length < count) {
    const url = `http://127.0.0.1:${port}/api/v2/tokens/${mintAddress}/trades?limit=${PAGE}${cursor}`;
    const { data, page } = (await (await fetch(url)).json()) as {
      data: { transactionSignature: string }[];
      page: { nextCursor: string | null };
    };
    signatures.push(...data.map(({ transactionSignature }) => transactionSignature));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  return signatures;
}

/** Ten thousand pools take about five minutes. */
const PROVEN_WITHIN_MS = 3_600_000;

/** Waits until every pool has been proven since the worker started, and no pool is due. */
export async function untilProven(port: number, pools: number): Promise<void> {
  const areProven = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const value = (name: string) =>
      Number(new RegExp(`^launchwire_indexer_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return value('pools') === pools && value('pools_unproven') === 0 && value('requests_waiting') === 0;
  };
  await until('every pool is proven', areProven, { pollMs: 1_000, withinMs: PROVEN_WITHIN_MS });
}

export async function storePoolTokens(
  { database }: BenchEnvironment,
  tokens: readonly PoolToken[],
): Promise<void> {
  await database`
    insert into tokens (mint_address, pool_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at, updated_at)
    select mint, pool, mint, 'Benchmark', 'BENCH', 6, 1000000000, 'dbc', 'bonding', now(), now()
    from unnest(${tokens.map(({ mintAddress }) => mintAddress)}::text[], ${tokens.map(({ poolAddress }) => poolAddress)}::text[]) as given (mint, pool)`;
  // The accounts of the pools are known, as after a restart.
  await database`
    insert into token_pools (pool_address, mint_address, program, created_at)
    select pool_address, mint_address, 'dbc', now() from tokens`;
  await database`insert into token_markets (mint_address, as_of) select mint_address, now() from tokens`;
}
