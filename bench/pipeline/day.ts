import { jetstream } from '@nats-io/jetstream';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { type BenchCase, sized, warmsUp } from '../cases/case.ts';
import { bindToCores } from '../cases/core-binding.ts';
import { type BenchEnvironment, createBenchEnvironment, STREAM_LIMITS } from '../cases/environment.ts';
import { epochMs } from '../cases/subscribers.ts';
import { type EventStream, openEventStream } from '../load/event-stream.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { openStreamConnections, type StreamConnection } from '../load/stream-connection.ts';
import { Distributions } from '../measurement/distribution.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { type PartTimes, partCores } from '../measurement/part-cores.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import type { Figures } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { postmasterOf, serverCpuMs } from '../measurement/server-cpu.ts';
import { medians } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';
import { CallRefused } from './call-api.ts';
import { commitAtRate } from './commit-events.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { readAll } from './day-reads.ts';
import { untilNoOpenWork } from './open-work.ts';
import { storeEndpoints } from './store-endpoints.ts';
import { tradeMessage } from './trade-messages.ts';
import { openTradingStage, type StagedTrade, type TradingStage } from './trading-stage.ts';

/** A second of the day at rate 1. */
const PER_SECOND = { reads: 400, bots: 6, ingested: 100, events: 40 };
const STREAMS = { full: 200, quick: 50, shortest: 3 };
const ENDPOINTS = { full: 40, quick: 20, shortest: 2 };
/** Three full rounds of bots at rate 1 have the thousand samples of a p99. */
const SECONDS = { full: 60, quick: 4, shortest: 0.25 };
const RATES = { full: [1, 2, 4], quick: [1], shortest: [1] };
const ROUNDS_MAX = 3;
const POLL_MS = 20;

/** Latencies of one round, by what a user waits for. */
type Samples = Record<
  'read' | 'quote' | 'swap' | 'submission' | 'landed → result' | 'ingest → stream' | 'event → webhook',
  number[]
>;

/** Steps, each with what begins the names of its figures. */
const STEPS: readonly (readonly [keyof Samples, string])[] = [
  ['read', 'read'],
  ['quote', 'quote'],
  ['swap', 'swap'],
  ['submission', 'submission'],
  ['landed → result', 'result'],
  ['ingest → stream', 'stream'],
  ['event → webhook', 'webhook'],
];

/**
 * A day in short: readers, bots that trade on a chain, streams, webhooks and a feed of trades at fixed rates, all open
 * loop and at the same time. Variants are multiples of the rates. Beside the latencies stand the busy cores of each
 * process and server: a process of ours is full at one core, the machine at all of its cores.
 */
export const day: BenchCase = async (options) => {
  const { seed = 1, cores } = options;
  const environment = await createBenchEnvironment();
  let parts: Day | undefined;
  try {
    const opened = await openDay(environment, sized(options, STREAMS), sized(options, ENDPOINTS));
    parts = opened;
    if (cores !== undefined) await bindToCores(Object.values(opened.pids), cores);
    const rates = options.rate === undefined ? sized(options, RATES) : [options.rate];
    const rounds = Math.min(options.rounds, ROUNDS_MAX);
    const seconds = sized(options, SECONDS);
    const distributions = new Distributions();
    if (warmsUp(options)) await opened.live({ rate: 1, seconds: 1, seed });
    const figures: Figures[] = [];
    for (const rate of rates) {
      const perRound: Record<string, number>[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const { samples, busy, counted } = await opened.live({ rate, seconds, seed: seed * 1_000 + round });
        for (const [step, values] of Object.entries(samples))
          distributions.record(variantName(rate), step, values);
        perRound.push({ ...latencyFigures(samples), ...busy, ...counted });
      }
      figures.push({ name: variantName(rate), median: medians(perRound), rounds: perRound });
    }
    const p99 = rates.flatMap((rate) =>
      STEPS.map(([step]) => [
        `p99 over all rounds, ${step}, ${variantName(rate)}, ms`,
        distributions.percentileMs(variantName(rate), step, 0.99),
      ]),
    );
    const [first] = figures;
    const last = figures.at(-1);
    if (first === undefined || last === undefined) throw new Error('no rate was chosen');
    return {
      name: `a day in short, by multiples of the rates; ${fullest(last)}`,
      figures,
      ratios: {
        ...Object.fromEntries(p99),
        'loads per read at the highest rate': last.median.loadsPerRead ?? null,
        ...Object.fromEntries(
          Object.entries(last.median)
            .filter(([name]) => name.endsWith('P50Ms'))
            .map(([name, ms]) => [
              `${name}, ${last.name} / ${first.name}`,
              first.median[name] === undefined ? null : ms / first.median[name],
            ]),
        ),
      },
      distributions: distributions.encode(),
    };
  } finally {
    await parts?.close();
    await environment.close();
  }
};

const variantName = (rate: number) => `rate × ${rate}`;

/** Says which process or server used the most cores, and how many of the machine were busy. */
function fullest({ name, median }: Figures): string {
  const shares = PARTS.map((part) => [part, median[`${part}Cores`] ?? 0] as const);
  const [part, used] = shares.reduce((most, share) => (share[1] > most[1] ? share : most));
  return `at ${name} the busiest is ${part} with ${used.toFixed(2)} cores, the machine has ${(median.busyCores ?? 0).toFixed(2)} busy`;
}

const PARTS = ['api', 'worker', 'relay', 'postgres', 'nats', 'chain', 'generator'] as const;

interface Day {
  /** Process ids of the processes and servers of the product, by name. */
  pids: Readonly<Record<string, number>>;
  live(span: { rate: number; seconds: number; seed: number }): Promise<{
    samples: Samples;
    busy: Record<string, number>;
    /** Trades and reads that the api refused with 503, and the work of its caches. */
    counted: Record<string, number>;
  }>;
  close(): Promise<void>;
}

async function openDay(environment: BenchEnvironment, streams: number, endpoints: number): Promise<Day> {
  const { database, secretKey } = environment;
  await createBenchTokens(database);
  const stage = await openTradingStage(environment, STREAM_LIMITS);
  const connection = await connectBus(environment.natsUrl, 'bench');
  await ensureStreams(connection);
  const receivers = Array.from({ length: endpoints }, (_, number) => ({
    url: `${stage.subscribers.origin}/${number}`,
    eventTypes: ['build.service.operation.succeeded.v1'],
  }));
  const accounts = (await storeEndpoints(database, secretKey, receivers)).map(({ accountId }) => accountId);
  const failures: Error[] = [];
  const open = await openStreamConnections(stage.api.port, '/api/v2/stream?topics=trades', streams, {
    onTrade: () => {},
    onFailure: (error) => void failures.push(error),
  });
  const streamedAtMs = new Map<string, number>();
  const watched = await openEventStream(
    `http://127.0.0.1:${stage.api.port}/api/v2/stream?topics=trades`,
    {},
    (name, message) => {
      if (name !== 'trade') return;
      const { transactionSignature } = (message as { data: { transactionSignature: string } }).data;
      streamedAtMs.set(transactionSignature, epochMs());
    },
  );
  const postmaster = await postmasterOf(database);
  const parts: Parts = {
    environment,
    stage,
    connection,
    accounts,
    streamedAtMs,
    failures,
    postmaster,
    fed: 0,
  };
  return {
    pids: {
      api: stage.api.pid,
      worker: stage.worker.pid,
      relay: stage.relay.pid,
      nats: environment.natsPid,
      ...(postmaster !== null && { postgres: postmaster }),
    },
    live: (span) => live(parts, span),
    close: () => closeAll(open, watched, stage, connection),
  };
}

async function closeAll(
  open: readonly StreamConnection[],
  watched: EventStream,
  stage: TradingStage,
  connection: NatsConnection,
): Promise<void> {
  for (const one of open) one.end();
  watched.close();
  stage.close();
  await connection.close();
}

interface Parts {
  environment: BenchEnvironment;
  stage: TradingStage;
  connection: NatsConnection;
  accounts: readonly string[];
  /** When the stream sent trades, by signature. */
  streamedAtMs: Map<string, number>;
  failures: Error[];
  postmaster: number | null;
  /** Number of the next trade of the feed. */
  fed: number;
}

async function live(parts: Parts, { rate, seconds, seed }: Parameters<Day['live']>[0]) {
  const { environment, stage, connection, accounts, failures } = parts;
  const { database } = environment;
  const random = seededRandom(seed);
  const durationMs = seconds * 1_000;
  await stage.subscribers.startRecording();
  const received = await stage.subscribers.count();
  const busy = measureCores(parts);
  const [reads, { traded: bots, refused }, published, committed] = await finishAll([
    readAll(stage, poissonArrivals(PER_SECOND.reads * rate, durationMs, random)),
    trade(stage, poissonArrivals(PER_SECOND.bots * rate, durationMs, random)),
    feed(parts, poissonArrivals(PER_SECOND.ingested * rate, durationMs, random)),
    commitAtRate({ sql: database, connection }, accounts, PER_SECOND.events * rate, durationMs),
  ]);
  const cores = busy();
  await stage.subscribers.untilCount(received + committed.atMs.size + bots.length);
  const isStreamed = (signature: string) => parts.streamedAtMs.has(signature);
  await until('all trades are streamed', () => [...published.keys()].every(isStreamed), { pollMs: POLL_MS });
  const first = await stage.subscribers.firstArrivals();
  await untilNoOpenWork(database, POLL_MS);
  if (failures[0] !== undefined) throw failures[0];
  const samples: Samples = {
    read: reads.latenciesMs,
    quote: bots.map(({ moments }) => moments.quoted - moments.began),
    swap: bots.map(({ moments }) => moments.prepared - moments.quoted),
    submission: bots.map(({ moments }) => moments.submitted - moments.signed),
    'landed → result': bots.map(({ moments }) => Math.max(0, moments.result - moments.landed)),
    'ingest → stream': [...published].map(
      ([signature, atMs]) => (parts.streamedAtMs.get(signature) ?? Number.NaN) - atMs,
    ),
    'event → webhook': [...committed.atMs].map(([id, atMs]) => (first.get(id) ?? Number.NaN) - atMs),
  };
  const counted = {
    refusedTrades: refused,
    refusedReads: reads.refusalsMs.length,
    slowestRefusalMs: reads.refusalsMs.reduce((most, ms) => Math.max(most, ms), 0),
    loadsPerRead: reads.loadsPerRead,
    hitShare: reads.hitShare,
  };
  return { samples, busy: cores, counted };
}

/**
 * Each bot begins when it is due, however long the others take. Beyond what the machine can do, some are refused with
 * 503: they are counted, and any other failure ends the case.
 */
async function trade(
  stage: TradingStage,
  arrivalsMs: Float64Array,
): Promise<{ traded: StagedTrade[]; refused: number }> {
  // At least one, in the shortest run too.
  const due = arrivalsMs.length === 0 ? Float64Array.of(0) : arrivalsMs;
  const results = await finishAll(
    [...due].map(async (atMs) => {
      await Bun.sleep(atMs);
      try {
        return await stage.trade();
      } catch (error) {
        if (error instanceof CallRefused && error.status === 503) return null;
        throw error;
      }
    }),
  );
  const traded = results.filter((result) => result !== null);
  return { traded, refused: results.length - traded.length };
}

/** Publishes trades as a feed does; when each was published, by signature. */
async function feed(parts: Parts, arrivalsMs: Float64Array): Promise<Map<string, number>> {
  const stream = jetstream(parts.connection);
  const published = new Map<string, number>();
  await finishAll(
    [...arrivalsMs].map(async (atMs) => {
      await Bun.sleep(atMs);
      const message = tradeMessage(parts.fed);
      parts.fed += 1;
      published.set(message.transactionSignature, epochMs());
      await stream.publish(ingestSubject('trade'), JSON.stringify(message));
    }),
  );
  return published;
}

function measureCores({ environment, stage, postmaster }: Parts): () => Record<string, number> {
  const parts: PartTimes<(typeof PARTS)[number]> = {
    api: () => processCpuMs(stage.api.pid),
    worker: () => processCpuMs(stage.worker.pid),
    relay: () => processCpuMs(stage.relay.pid),
    postgres: () => (postmaster === null ? 0 : serverCpuMs(postmaster)),
    nats: () => processCpuMs(environment.natsPid),
    chain: () => processCpuMs(stage.chain.pid),
    generator: () => processCpuMs(process.pid),
  };
  return partCores(parts);
}

function latencyFigures(samples: Samples): Record<string, number> {
  return Object.assign(
    {},
    ...STEPS.map(([step, prefix]) =>
      percentiles(samples[step], { [`${prefix}P50Ms`]: 0.5, [`${prefix}P99Ms`]: 0.99 }),
    ),
  );
}
