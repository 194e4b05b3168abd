import { connectBus } from '../../src/shared/bus/connect.ts';
import { type BenchCase, sized, warmsUp } from '../cases/case.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { storeToken } from '../http/stored-token.ts';
import { openLoop } from '../load/open-loop.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { queueGrows } from '../load/queue-growth.ts';
import { wireRequest } from '../load/wire-request.ts';
import type { PartTimes } from '../measurement/part-cores.ts';
import { partCores } from '../measurement/part-cores.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import type { Figures } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { postmasterOf, serverCpuMs } from '../measurement/server-cpu.ts';
import { commitAtRate } from './commit-events.ts';
import { untilNoOpenWork } from './open-work.ts';
import { storeEndpoints } from './store-endpoints.ts';
import { followSubmissions, startSubmissionStage } from './submission-stage.ts';

/** The operations of the page, each alone and at each of its rates a second. */
const RATES = {
  submission: [6, 20, 50, 200],
  'cached read (`getToken`)': [300, 1_000, 3_000],
  'read with a key (`getOperation`)': [100, 400],
  'event to its first webhook attempt': [50, 200],
} as const;
type Operation = keyof typeof RATES;

/** With this number of samples, ten lie above a p99. */
const SAMPLES_MIN = { full: 1_010, quick: 60, shortest: 3 };
const SECONDS_MIN = { full: 5, quick: 0.5, shortest: 0.02 };
const WARM_UP = { rate: 200, samples: 600 };
const SUBMISSION_CONNECTIONS = 16;
const READ_CONNECTIONS = 32;
const ENDPOINTS = 50;
const POLL_MS = 20;

/** Latencies of the load of one operation, in the order in which its requests were due, and the busy cores meanwhile. */
interface Measured {
  latenciesMs: number[];
  cores: Record<string, number>;
}

/**
 * Latencies of the product at fixed rates, open loop, one operation after the other with nothing beside it, and what each
 * leaves of the machine. `npm run bench:latencies` makes a page of it.
 */
export const latencies: BenchCase = async (options) => {
  const { seed = 1 } = options;
  const stage = await startSubmissionStage();
  const { environment, intents, ours, worker, relay, subscribers } = stage;
  const { database } = environment;
  const connection = await connectBus(environment.natsUrl, 'bench');
  try {
    const postmaster = await postmasterOf(database);
    const parts: PartTimes<string> = {
      api: () => processCpuMs(ours.server.pid),
      worker: () => processCpuMs(worker.pid),
      relay: () => processCpuMs(relay.pid),
      postgres: () => (postmaster === null ? 0 : serverCpuMs(postmaster)),
      nats: () => processCpuMs(environment.natsPid),
      generator: () => processCpuMs(process.pid),
    };
    const receivers = Array.from({ length: ENDPOINTS }, (_, number) => ({
      url: `${subscribers.origin}/${number}`,
      eventTypes: ['build.service.operation.succeeded.v1'],
    }));
    const stored = await storeEndpoints(database, environment.secretKey, receivers);
    const accounts = stored.map(({ accountId }) => accountId);
    const mint = await storeToken(database);
    const operation = await storeOperation(database, intents.key.accountId);

    const submit = async (arrivalsMs: Float64Array): Promise<Measured> => {
      let measured = partCores(parts);
      let cores: Record<string, number> = {};
      const samples = await followSubmissions(stage, ours, {
        arrivalsMs,
        connections: SUBMISSION_CONNECTIONS,
        watched: 1,
        onStart: () => {
          measured = partCores(parts);
        },
        onAnswered: () => {
          cores = measured();
        },
      });
      return { latenciesMs: samples['due → answer'], cores };
    };
    const read =
      (path: string, headers: Record<string, string> = {}) =>
      async (arrivalsMs: Float64Array): Promise<Measured> => {
        const bytes = wireRequest('GET', path, { accept: 'application/json', ...headers });
        const measured = partCores(parts);
        const { latenciesMs, errors, firstError } = await openLoop({
          port: ours.server.port,
          connections: READ_CONNECTIONS,
          arrivalsMs,
          expectedStatus: 200,
          // At low rates the server closes connections that are idle.
          reopens: true,
          nextRequest: () => bytes,
        });
        if (errors > 0) throw new Error(`${errors} reads failed, the first: ${firstError}`);
        return { latenciesMs, cores: measured() };
      };
    const deliver = async (arrivalsMs: Float64Array, rate: number): Promise<Measured> => {
      await subscribers.startRecording();
      const received = await subscribers.count();
      const measured = partCores(parts);
      const durationMs = (arrivalsMs.length * 1_000) / rate;
      const committed = await commitAtRate({ sql: database, connection }, accounts, rate, durationMs);
      const cores = measured();
      await subscribers.untilCount(received + committed.atMs.size);
      const first = await subscribers.firstArrivals();
      await untilNoOpenWork(database, POLL_MS);
      const latenciesMs = [...committed.atMs].map(([id, atMs]) => (first.get(id) ?? Number.NaN) - atMs);
      return { latenciesMs, cores };
    };
    const runs: Record<Operation, (arrivalsMs: Float64Array, rate: number) => Promise<Measured>> = {
      submission: submit,
      'cached read (`getToken`)': read(`/api/v2/tokens/${mint}`),
      'read with a key (`getOperation`)': read(`/api/v2/operations/${operation}`, intents.key.header),
      'event to its first webhook attempt': deliver,
    };

    let drawn = 0;
    const arrivalsOf = (rate: number, samples: number) => {
      drawn += 1;
      const longEnoughMs = ((2 * samples + 20) * 1_000) / rate;
      return poissonArrivals(rate, longEnoughMs, seededRandom(seed * 1_000 + drawn)).slice(0, samples);
    };
    const figures: Figures[] = [];
    for (const [name, run] of Object.entries(runs)) {
      if (warmsUp(options)) await run(arrivalsOf(WARM_UP.rate, WARM_UP.samples), WARM_UP.rate);
      for (const rate of RATES[name as Operation]) {
        const samples = Math.max(sized(options, SAMPLES_MIN), Math.ceil(rate * sized(options, SECONDS_MIN)));
        const { latenciesMs, cores } = await run(arrivalsOf(rate, samples), rate);
        const round = {
          ratePerSecond: rate,
          ...percentiles(latenciesMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
          overloads: queueGrows(latenciesMs, (samples * 1_000) / rate) ? 1 : 0,
          ...cores,
        };
        figures.push({ name: `${name}, ${rate}/s`, median: round, rounds: [round] });
      }
    }
    return { name: 'latencies at fixed rates, one operation after the other', figures, ratios: {} };
  } finally {
    await connection.close();
    await environment.close();
  }
};
