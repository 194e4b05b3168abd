import { join } from 'node:path';
import { type BenchCase, type CaseOptions, ratio, valuesOf } from '../cases/case.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { httpVariant, wireRequest } from '../cases/http-variant.ts';
import { alternate, pairedDifference, type Variant } from '../measurement/rounds.ts';
import { createPredictionSource, PREDICTIONS_PATH, type PredictionSource } from './prediction-source.ts';
import { BARE, FASTIFY, HONO, OURS, startWithReply } from './read-case.ts';
import { roundTripsOfOne } from './round-trips-of-one.ts';

const CONNECTIONS = 8;
const RATE_PER_SECOND = 100;

const HTTP_BALANCE = 'bare HTTP + balance';
const HTTP_BALANCE_STORE = 'bare HTTP + balance + statement';

/**
 * `createPrediction` beside the least that could be durable, in steps: HTTP alone, the balance from the node more, one
 * statement that judges and stores everything more. What is left of the product's CPU time is its own.
 */
export const createPrediction: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const source = await createPredictionSource(environment.database);
    const trips = await roundTripsOfOne(environment, 201, (_api, count) => source.prepare(count));
    const api = await environment.startApi();
    const captured = await captureOne(environment, api, source);
    const figures = await alternate(
      await createVariants(environment, api, source, captured, options),
      options.rounds,
    );
    const cpu = (variant: string) => valuesOf(figures, variant, 'cpuMicrosecondsPerRequest');
    const of = (to: string, figure: string) => ratio(figures, OURS, to, figure);
    return {
      name: `createPrediction, ${CONNECTIONS} connections, fsync on, balance from a stub node; open loop at ${RATE_PER_SECOND}/s`,
      figures,
      ratios: {
        'throughput, ours / bare statement': of(HTTP_BALANCE_STORE, 'requestsPerSecond'),
        'p50, ours / bare statement': of(HTTP_BALANCE_STORE, 'p50Ms'),
        'server CPU, ours / bare statement': of(HTTP_BALANCE_STORE, 'cpuMicrosecondsPerRequest'),
        'CPU beyond HTTP, balance and statement, us': pairedDifference(cpu(OURS), cpu(HTTP_BALANCE_STORE)),
        'CPU of the statement, us': pairedDifference(cpu(HTTP_BALANCE_STORE), cpu(HTTP_BALANCE)),
        'CPU of the balance, us': pairedDifference(cpu(HTTP_BALANCE), cpu(BARE)),
        'round trips': trips,
        ...(options.peers !== false && {
          'throughput, ours / Fastify': of(FASTIFY, 'requestsPerSecond'),
          'throughput, ours / Hono': of(HONO, 'requestsPerSecond'),
        }),
      },
    };
  } finally {
    await environment.close();
  }
};

interface Captured {
  headers: Record<string, string>;
  response: string;
  event: string;
}

async function createVariants(
  environment: BenchEnvironment,
  api: BenchServer,
  source: PredictionSource,
  { headers, response, event }: Captured,
  { roundMs, seed = 1, peers = true }: CaseOptions,
): Promise<Variant[]> {
  const shared = {
    connections: CONNECTIONS,
    roundMs,
    expectedStatus: 201,
    ratePerSecond: RATE_PER_SECOND,
    openLoopConnections: CONNECTIONS,
    seed,
  };
  const variables = {
    BENCH_ACCOUNTS: JSON.stringify(source.accounts),
    BENCH_RESPONSE: response,
    BENCH_EVENT: event,
  };
  const consuming = (name: string, server: BenchServer) => {
    let ready: Uint8Array[] = [];
    const prepare = async (count: number) => {
      ready = await source.prepare(count);
    };
    return httpVariant({ name, server, ...shared, prepare, nextRequest: () => ready.pop() });
  };
  const sample = await source.prepareOne();
  const sampleRequest = wireRequest('POST', PREDICTIONS_PATH, sample.headers, sample.body);
  const repeating = (name: string, server: BenchServer) =>
    httpVariant({ name, server, ...shared, nextRequest: () => sampleRequest });
  const bareHttp = await startWithReply(environment, {
    path: PREDICTIONS_PATH,
    method: 'POST',
    status: 201,
    headers,
    body: response,
  });
  const bare = (steps: string) =>
    environment.startServer('bare-prediction.ts', { ...variables, BENCH_STEPS: steps });
  const variants = [
    consuming(OURS, api),
    repeating(BARE, bareHttp),
    repeating(HTTP_BALANCE, await bare('balance')),
    consuming(HTTP_BALANCE_STORE, await bare('store')),
  ];
  if (!peers) return variants;
  const documents = join(environment.folder, 'documents.json');
  await Bun.write(documents, JSON.stringify({ response: JSON.parse(response), event: JSON.parse(event) }));
  const peerVariables = { BENCH_DOCUMENTS: documents };
  const fastify = await environment.startNodeServer('fastify.ts', peerVariables);
  const hono = await environment.startServer('hono.ts', peerVariables);
  for (const peer of [fastify, hono]) requireSameFields(response, (await submitOne(peer, source)).body);
  return [...variants, consuming(FASTIFY, fastify), consuming(HONO, hono)];
}

/** Submits one prediction; the answer and the event that the bare servers and peers imitate. */
async function captureOne(
  environment: BenchEnvironment,
  api: BenchServer,
  source: PredictionSource,
): Promise<Captured> {
  const { body, headers: received } = await submitOne(api, source);
  const { id } = JSON.parse(body) as { id: string };
  const [stored] = await environment.database<{ body: string }[]>`
    select e.body from predictions p join events e on e.subject = p.id::text where p.id = ${id}`;
  if (stored === undefined) throw new Error('the api stored no prediction or no event');
  const { date: _date, 'content-length': _length, ...headers } = received;
  return { headers, response: body, event: stored.body };
}

async function submitOne({ port }: BenchServer, source: PredictionSource) {
  const { headers, body } = await source.prepareOne();
  const url = `http://127.0.0.1:${port}${PREDICTIONS_PATH}`;
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`a prediction was not accepted: ${response.status} ${text}`);
  return { body: text, headers: Object.fromEntries(response.headers) };
}

function requireSameFields(ours: string, theirs: string): void {
  const fields = (text: string) =>
    Object.keys(JSON.parse(text) as object)
      .sort()
      .join();
  if (fields(ours) !== fields(theirs)) throw new Error(`a peer answers other fields: ${theirs}`);
}
