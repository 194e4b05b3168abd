import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { PoolChain } from '../../test/support/market/pool-chain.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { openStreamConnections, type StreamConnection } from '../load/stream-connection.ts';
import { startCountingNode } from '../measurement/counting-node.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { until } from '../measurement/until.ts';
import { residentMb } from '../memory/resident-size.ts';
import { tradeMessage } from '../pipeline/trade-messages.ts';
import { storePoolTokens, untilProven } from '../scale/pools.ts';
import { each, type Meter } from './meters.ts';

const PUBLISHED_AT_ONCE = 256;
const POLL_MS = 20;
const KB_PER_MB = 1_000;
const TRADE_EVERY_MS = 25;

/** Publishes trades as a feed does, and waits until the worker has stored them. */
export function createTradeFeed({ database, natsUrl }: BenchEnvironment) {
  let next = 0;
  const connecting = connectBus(natsUrl, 'bench');
  return {
    async feed(count: number): Promise<void> {
      const stream = jetstream(await connecting);
      const before = await countTrades(database);
      for (let done = 0; done < count; ) {
        const size = Math.min(PUBLISHED_AT_ONCE, count - done);
        await Promise.all(
          Array.from({ length: size }, (_, at) =>
            stream.publish(ingestSubject('trade'), JSON.stringify(tradeMessage(next + at))),
          ),
        );
        done += size;
        next += size;
      }
      await untilStored(database, before + count);
    },
    close: async () => (await connecting).close(),
  };
}

async function untilStored(database: BenchEnvironment['database'], count: number): Promise<void> {
  await until(`${count} trades are stored`, async () => (await countTrades(database)) >= count, {
    pollMs: POLL_MS,
  });
}

async function countTrades(database: BenchEnvironment['database']): Promise<number> {
  const [row] = await database<{ count: number }[]>`select count(*)::int as count from trades`;
  return row?.count ?? Number.NaN;
}

/** Trades of a feed into the store, while the api follows the log for one stream of a token that does not trade. */
export async function measureTrades(
  { port }: BenchServer,
  feed: ReturnType<typeof createTradeFeed>,
  { quietMint, trades: count }: { quietMint: string; trades: number },
  meter: Meter,
) {
  const failures: Error[] = [];
  const events = { onTrade: () => {}, onFailure: (error: Error) => void failures.push(error) };
  const connections = await openStreamConnections(
    port,
    `/api/v2/stream?topics=trades:${quietMint}`,
    1,
    events,
  );
  const taken = await meter(() => feed.feed(count));
  for (const connection of connections) connection.end();
  if (failures[0] !== undefined) throw failures[0];
  return {
    tradeWorkerUs: each(taken.workerMs, count),
    tradeFollowApiUs: each(taken.apiMs, count),
    tradePostgresUs: each(taken.postgresMs, count),
    tradeNatsUs: each(taken.natsMs, count),
    tradeWalBytes: taken.walBytes / count,
    tradeKeptBytes: taken.keptBytes / count,
  };
}

/** Streams that wait, and the messages of trades to all of them. */
export async function measureStreams(
  { port, pid }: BenchServer,
  feed: ReturnType<typeof createTradeFeed>,
  { readers, trades, followUs }: { readers: number; trades: number; followUs: number },
  meter: Meter,
): Promise<Record<string, number>> {
  let received = 0;
  const failures: Error[] = [];
  const events = {
    onTrade: () => {
      received += 1;
    },
    onFailure: (error: Error) => void failures.push(error),
  };
  const emptyMb = residentMb(pid).nowMb;
  const connections: StreamConnection[] = [];
  try {
    connections.push(...(await openStreamConnections(port, '/api/v2/stream?topics=trades', readers, events)));
    const idleMb = residentMb(pid).nowMb;
    const messages = readers * trades;
    const taken = await meter(async () => {
      await feed.feed(trades);
      await until('every message is streamed', () => received >= messages || failures.length > 0, {
        pollMs: POLL_MS,
      });
    });
    if (failures[0] !== undefined) throw failures[0];
    return {
      streamMessageApiUs: Math.max(0, each(taken.apiMs, messages) - followUs / readers),
      // Memory that the process had already may serve some of them.
      streamReaderKb: Math.max(1, ((idleMb - emptyMb) * KB_PER_MB) / readers),
    };
  } finally {
    for (const connection of connections) connection.end();
  }
}

export interface PoolStage {
  measure(trades: number): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** A chain whose trades a worker of its own reads from the node, in a database of its own. */
export async function openPoolStage(
  environment: BenchEnvironment,
  { trading, quiet, idleMs }: { trading: number; quiet: number; idleMs: number },
): Promise<PoolStage> {
  const market = await PoolChain.start();
  const node = startCountingNode(market.chain.rpcUrl);
  for (let at = 0; at < trading; at += 1) market.launch();
  for (let at = 0; at < quiet; at += 1) market.addQuiet();
  await storePoolTokens(environment, [...market.launched, ...market.quiet]);
  const worker = await environment.startWorker({
    SOLANA_RPC_URL: node.url,
    SOLANA_WS_URL: market.chain.socketUrl,
  });
  await untilProven(worker.port, trading + quiet);
  const idleBeforeMs = processCpuMs(worker.pid);
  await Bun.sleep(idleMs);
  const idleShare = (processCpuMs(worker.pid) - idleBeforeMs) / idleMs;
  return {
    async measure(trades) {
      const before = {
        stored: await countTrades(environment.database),
        calls: node.count(),
        ms: processCpuMs(worker.pid),
      };
      const startedAtMs = performance.now();
      const confirmed: Promise<number>[] = [];
      for (let at = 0; at < trades; at += 1) {
        confirmed.push(market.trade(at).confirmedAtMs);
        await Bun.sleep(TRADE_EVERY_MS);
      }
      await Promise.all(confirmed);
      await untilStored(environment.database, before.stored + trades);
      const idle = idleShare * (performance.now() - startedAtMs);
      return {
        tradeReadWorkerUs: each(Math.max(0, processCpuMs(worker.pid) - before.ms - idle), trades),
        tradeNodeCalls: (node.count() - before.calls) / trades,
      };
    },
    async stop() {
      node.stop();
      await market.chain.stop();
    },
  };
}

/** Throws when the worker has rejected a message of the feed. */
export async function requireNoneRejected(natsUrl: string): Promise<void> {
  const connection = await connectBus(natsUrl, 'bench');
  try {
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info('INGEST_REJECTED');
    if (state.messages > 0) throw new Error(`${state.messages} trades were rejected`);
  } finally {
    await connection.close();
  }
}
