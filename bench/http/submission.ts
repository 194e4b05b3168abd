import { join } from 'node:path';
import { type BenchCase, type CaseOptions, ratio, valuesOf } from '../cases/case.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { httpVariant, wireRequest } from '../cases/http-variant.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { alternate, pairedDifference, type Variant } from '../measurement/rounds.ts';
import { createIntentSource, type IntentSource } from './prepared-intents.ts';
import { BARE, FASTIFY, HONO, OURS, startWithReply } from './read-case.ts';
import { roundTripsOfOne } from './round-trips-of-one.ts';

const CONNECTIONS = 8;
const RATE_PER_SECOND = 200;

const HTTP_VERIFY = 'bare HTTP + verify';
const HTTP_VERIFY_STORE = 'bare HTTP + verify + statement';

/**
 * Intent submission beside the least that could be durable, in steps: HTTP alone, one native verification more, the
 * product's statement through the bare driver more. What is left of the product's CPU time is its own.
 */
export const submission: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const intents = await createIntentSource(environment.database);
    const trips = await roundTripsOfOne(environment, 202, async (server, count) => {
      const made = await intents.prepare(count);
      await readAll(
        server,
        intents,
        made.map(({ id }) => id),
      );
      return made.map((intent) => intent.submission);
    });
    const api = await environment.startApi();
    const captured = await captureOne(environment, api, intents);
    const variants = await createVariants(environment, api, intents, captured, options);
    const figures = await alternate(variants, options.rounds);
    const cpu = (variant: string) => valuesOf(figures, variant, 'cpuMicrosecondsPerRequest');
    return {
      name: `intent submission, ${CONNECTIONS} connections, fsync on; open loop at ${RATE_PER_SECOND}/s`,
      figures,
      ratios: {
        'throughput, ours / bare statement': ratio(figures, OURS, HTTP_VERIFY_STORE, 'requestsPerSecond'),
        'p50, ours / bare statement': ratio(figures, OURS, HTTP_VERIFY_STORE, 'p50Ms'),
        'server CPU, ours / bare statement': ratio(
          figures,
          OURS,
          HTTP_VERIFY_STORE,
          'cpuMicrosecondsPerRequest',
        ),
        'CPU beyond HTTP, verification and statement, us': pairedDifference(
          cpu(OURS),
          cpu(HTTP_VERIFY_STORE),
        ),
        'CPU of the statement, us': pairedDifference(cpu(HTTP_VERIFY_STORE), cpu(HTTP_VERIFY)),
        'CPU of the verification, us': pairedDifference(cpu(HTTP_VERIFY), cpu(BARE)),
        'round trips': trips,
        ...(options.peers !== false && {
          'throughput, ours / Fastify': ratio(figures, OURS, FASTIFY, 'requestsPerSecond'),
          'throughput, ours / Hono': ratio(figures, OURS, HONO, 'requestsPerSecond'),
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
  intents: IntentSource,
  { headers, response, event }: Captured,
  { roundMs, seed = 1, peers = true }: CaseOptions,
): Promise<Variant[]> {
  const shared = {
    connections: CONNECTIONS,
    roundMs,
    expectedStatus: 202,
    ratePerSecond: RATE_PER_SECOND,
    openLoopConnections: CONNECTIONS,
    seed,
  };
  const documents = join(environment.folder, 'documents.json');
  await Bun.write(documents, JSON.stringify({ response: JSON.parse(response), event: JSON.parse(event) }));
  const variables = { BENCH_ACCOUNT: intents.key.accountId, BENCH_RESPONSE: response, BENCH_EVENT: event };
  const path = '/api/v2/transaction-intents/:id/submissions';
  const bareHttp = await startWithReply(environment, {
    path,
    method: 'POST',
    status: 202,
    headers,
    body: response,
  });
  const verifying = await environment.startServer('bare-submission.ts', {
    ...variables,
    BENCH_STEPS: 'verify',
  });
  const storing = await environment.startServer('bare-submission.ts', { ...variables, BENCH_STEPS: 'store' });

  /** Consumes intents; the product's clients read an intent before they sign it, so its variant reads it untimed. */
  const consuming = (name: string, server: BenchServer, readsFirst = false) => {
    let ready: Uint8Array[] = [];
    return httpVariant({
      name,
      server,
      ...shared,
      prepare: async (count) => {
        const made = await intents.prepare(count);
        if (readsFirst)
          await readAll(
            server,
            intents,
            made.map(({ id }) => id),
          );
        ready = made.map(({ submission }) => submission);
      },
      nextRequest: () => ready.pop(),
    });
  };
  const sample = wireRequest(
    'POST',
    path.replace(':id', Bun.randomUUIDv7()),
    {
      ...intents.key.header,
      'content-type': 'application/json',
      'idempotency-key': 'bench',
      'if-match': '"1"',
    },
    intents.sampleBody,
  );
  const repeating = (name: string, server: BenchServer) =>
    httpVariant({ name, server, ...shared, nextRequest: () => sample });

  const variants = [
    consuming(OURS, api, true),
    repeating(BARE, bareHttp),
    repeating(HTTP_VERIFY, verifying),
    consuming(HTTP_VERIFY_STORE, storing),
  ];
  if (!peers) return variants;
  const peerVariables = { BENCH_DOCUMENTS: documents };
  return [
    ...variants,
    consuming(FASTIFY, await environment.startNodeServer('fastify.ts', peerVariables)),
    consuming(HONO, await environment.startServer('hono.ts', peerVariables)),
  ];
}

/** Reads intents as their clients do; the process then knows them. */
async function readAll({ port }: BenchServer, { key }: IntentSource, ids: readonly string[]): Promise<void> {
  const requests = ids.map((id) => wireRequest('GET', `/api/v2/transaction-intents/${id}`, key.header));
  const load = { port, connections: CONNECTIONS, durationMs: Number.POSITIVE_INFINITY, expectedStatus: 200 };
  await closedLoop({ ...load, nextRequest: () => requests.pop() });
}

/** Submits one intent; the answer and the event that the bare servers and peers imitate. */
async function captureOne(
  environment: BenchEnvironment,
  api: BenchServer,
  intents: IntentSource,
): Promise<Captured> {
  const [made] = await intents.prepare(1);
  if (made === undefined) throw new Error('no intent was prepared');
  const text = Buffer.from(made.submission).toString();
  const response = await fetch(
    `http://127.0.0.1:${api.port}/api/v2/transaction-intents/${made.id}/submissions`,
    {
      method: 'POST',
      headers: {
        ...intents.key.header,
        'content-type': 'application/json',
        'if-match': '"1"',
        'idempotency-key': made.id,
      },
      body: text.slice(text.indexOf('\r\n\r\n') + 4),
    },
  );
  const body = await response.text();
  const [event] = await environment.database<
    { body: string }[]
  >`select body from events where subject = ${made.id}`;
  const [job] = await environment.database`select from intent_broadcasts where intent_id = ${made.id}`;
  if (response.status !== 202 || event === undefined || job === undefined) {
    throw new Error(`the api did not accept a submission: ${response.status} ${body}`);
  }
  const { date: _date, 'content-length': _length, ...headers } = Object.fromEntries(response.headers);
  return { headers, response: body, event: event.body };
}
