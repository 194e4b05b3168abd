import type { BenchCase } from '../cases/case.ts';
import { percentileRatio, ratio, sized } from '../cases/case.ts';
import { createBenchEnvironment, STREAM_LIMITS } from '../cases/environment.ts';
import { openStreamConnections, type StreamConnection } from '../load/stream-connection.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { createStreamedMarket, type StreamedMarket } from './streamed-market.ts';

const SUBSCRIBERS = { full: 1_000, quick: 200, shortest: 10 };
const OURS = 'ours';
const BARE = 'bare Bun.serve';
/** Length of a round: CPU time is counted in ticks of 10 ms. */
const MESSAGES = { full: 300, quick: 40, shortest: 2 };
/** Pause between two trades: short as in a busy market, and long enough for the load generator to read all messages. */
const PAUSE_MS = 20;
/** The promised p99 from the commit of a trade to each of 1,000 subscribers. */
const PROMISED_MS = 20;
const HANG_MS = 30_000;
/** About the size of a trade message. */
const BARE_FRAME = Buffer.from(`event: trade\nid: 1.000000000000.1\ndata: ${'x'.repeat(620)}\n\n`);

/** One server, its streams, and what makes it send a message to all of them. */
interface Stage {
  name: string;
  pid: number;
  /** Resolves when the trade is committed: latencies count from then. */
  send(): Promise<void>;
  /** Received messages of all its streams. */
  received: { count: number; atMs: number[] };
}

/**
 * A trade to many streams of one api process: from its commit to each subscriber, and the CPU time of the process for
 * each message and subscriber (reading, serialising and heartbeats included). The limit writes a frame of the same size
 * that it receives.
 */
export const streamFanOut: BenchCase = async (options) => {
  const { rounds } = options;
  const subscribers = sized(options, SUBSCRIBERS);
  const environment = await createBenchEnvironment();
  const connections: StreamConnection[] = [];
  let market: StreamedMarket | undefined;
  try {
    const trading = await createStreamedMarket(environment);
    market = trading;
    const [api, bare] = [
      await environment.startApi(STREAM_LIMITS),
      await environment.startServer('bare-stream.ts'),
    ];
    const open = async (
      name: string,
      { port, pid }: typeof bare,
      path: string,
      send: () => Promise<void>,
    ) => {
      const received: Stage['received'] = { count: 0, atMs: [] };
      const events = {
        onTrade: () => {
          received.count += 1;
          received.atMs.push(performance.now());
        },
        onFailure: (error: Error) => {
          throw error;
        },
      };
      connections.push(...(await openStreamConnections(port, path, subscribers, events)));
      return { name, pid, send, received };
    };
    const stages = [
      await open(OURS, api, '/api/v2/stream?topics=trades', () => trading.trade()),
      await open(BARE, bare, '/stream', async () => {
        await fetch(`http://127.0.0.1:${bare.port}/send`, { method: 'POST', body: BARE_FRAME });
      }),
    ];
    const figures = await alternate(
      stages.map((stage) => variantOf(stage, subscribers, sized(options, MESSAGES))),
      rounds,
    );
    const p99Ms = figures.find(({ name }) => name === OURS)?.median.p99Ms;
    return {
      name: `a trade to ${subscribers.toLocaleString('en')} streams`,
      figures,
      ratios: {
        'CPU per message and subscriber, ours / bare server': ratio(
          figures,
          OURS,
          BARE,
          'cpuMicrosecondsPerMessage',
        ),
        'p99, ours / bare server': percentileRatio(figures, OURS, BARE, 'p99Ms'),
        'p99 / 20 ms': p99Ms === undefined ? null : p99Ms / PROMISED_MS,
      },
    };
  } finally {
    for (const connection of connections) connection.end();
    await market?.close();
    await environment.close();
  }
};

function variantOf(stage: Stage, subscribers: number, messages: number): Variant {
  const { name, pid, send, received } = stage;
  return {
    name,
    run: async () => {
      const latenciesMs: number[] = [];
      const cpuBeforeMs = processCpuMs(pid);
      for (let sent = 0; sent < messages; sent += 1) {
        await Bun.sleep(PAUSE_MS);
        received.atMs.length = 0;
        const wanted = received.count + subscribers;
        // The limit has no commit: it counts from the request.
        const askedAtMs = performance.now();
        await send();
        const factAtMs = name === BARE ? askedAtMs : performance.now();
        await allReceived(received, wanted);
        for (const atMs of received.atMs) latenciesMs.push(Math.max(0, atMs - factAtMs));
      }
      const cpuMs = processCpuMs(pid) - cpuBeforeMs;
      return {
        cpuMicrosecondsPerMessage: (cpuMs * 1000) / (messages * subscribers),
        ...percentiles(latenciesMs, { p50Ms: 0.5, p99Ms: 0.99 }),
      };
    },
  };
}

async function allReceived(received: Stage['received'], wanted: number): Promise<void> {
  const deadline = performance.now() + HANG_MS;
  while (received.count < wanted) {
    if (performance.now() > deadline) throw new Error(`${received.count} of ${wanted} messages came`);
    await new Promise(setImmediate);
  }
  if (received.count > wanted) throw new Error('a message came twice');
}
