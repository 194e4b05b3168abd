import { join } from 'node:path';
import { type CaseOptions, type CaseResult, percentileRatio, ratio, valuesOf } from '../cases/case.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { COLD_REQUESTS, httpVariant } from '../cases/http-variant.ts';
import { wireRequest } from '../load/wire-request.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { pairedDifference } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';
import { type Peer, peerRatios, startPeers, usualPeers } from './peers.ts';
import { startWithReply } from './read-case.ts';
import { constantHeaders, differingHeader, repeatedHeaders } from './response-headers.ts';
import { roundTripsOfOne, startCountedApi } from './round-trips-of-one.ts';
import { BARE, OURS } from './variant-names.ts';

const CONNECTIONS = 8;

/** One request as `fetch` takes it; it is good for one use. */
export interface WriteRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** One write of the product, its requests, and the bare server that does the least of it in steps. */
export interface WriteCase {
  /** Name of the case. */
  name: string;
  /** Route of Bun's native router. */
  route: string;
  status: number;
  ratePerSecond: number;
  /** The step of the bare server before its statement, e.g. `verify`, and its name in the ratios. */
  step: { name: string; meaning: string };
  /**
   * Server in `bench/servers` that takes the step, and with BENCH_STEPS=store or follow the rest as well; its
   * variables.
   */
  bareServer: string;
  bareVariables: Record<string, string>;
  /** The step after the response, which the bare server takes with BENCH_STEPS=follow, and its name in the ratios. */
  follow?: {
    name: string;
    meaning: string;
    /** Whether what follows a response is recorded. */
    isRecorded(response: string): Promise<boolean>;
  };
  /** Requests of each server before its first round; the first of them show a cold process. Not with `quick`. */
  steadyAfter?: number;
  /** By default the usual ones. */
  peers?: readonly Peer[];
  /** Name of the difference of CPU time to the bare server that takes all steps. */
  restMeaning: string;
  /** Makes this many requests, and their rows in the database. */
  prepare(count: number): Promise<WriteRequest[]>;
  /** Runs untimed before the api gets such requests, as its clients do before they send them. */
  warmApi?(api: BenchServer, requests: readonly WriteRequest[]): Promise<void>;
  /** The number of stored writes, of any server. */
  countStored(): Promise<number>;
  /** The body of the event that the response announces; throws when the write was not stored. */
  storedEvent(response: string): Promise<string>;
}

/**
 * A write of the product beside the least that could be durable, in steps: HTTP alone, then with one step, then with the
 * statement that stores everything. The rest of the product's CPU time is its own.
 */
export async function measureWrite(
  environment: BenchEnvironment,
  write: WriteCase,
  options: CaseOptions,
): Promise<CaseResult> {
  const counted = await startCountedApi(environment);
  try {
    const trips = await roundTripsOfOne(counted, write.status, options, async (api, count) => {
      const requests = await write.prepare(count);
      await write.warmApi?.(api, requests);
      return requests.map(toWire);
    });
    // Each start takes a second of CPU time.
    const api = options.shortest === true ? counted.api : await environment.startApi();
    return await measureVariants(environment, api, trips, write, options);
  } finally {
    counted.proxy.close();
  }
}

async function measureVariants(
  environment: BenchEnvironment,
  api: BenchServer,
  trips: number,
  write: WriteCase,
  options: CaseOptions,
): Promise<CaseResult> {
  const captured = await captureOne(api, write);
  const { variants, sent } = await createVariants(environment, api, write, captured, options);
  const before = await write.countStored();
  const figures = await alternate(variants, options.rounds);
  const stored = (await write.countStored()) - before;
  if (stored !== sent()) throw new Error(`${write.name}: ${stored} of ${sent()} writes are stored`);
  const [stepped, durable, all] = [stepVariant(write), storeVariant(write), wholeVariant(write)];
  const cpu = (variant: string) => valuesOf(figures, variant, 'cpuMicrosecondsPerRequest');
  const cold = (variant: string) => valuesOf(figures, variant, 'coldCpuMicrosecondsPerRequest');
  return {
    name: `${write.name}; ${CONNECTIONS} connections, fsync on, open loop at ${write.ratePerSecond}/s`,
    figures,
    ratios: {
      'throughput, ours / bare statement': ratio(figures, OURS, durable, 'requestsPerSecond'),
      'p50, ours / bare statement': percentileRatio(figures, OURS, durable, 'p50Ms'),
      'server CPU, ours / bare statement': ratio(figures, OURS, durable, 'cpuMicrosecondsPerRequest'),
      [`CPU beyond ${write.restMeaning}, µs`]: pairedDifference(cpu(OURS), cpu(all)),
      ...(write.steadyAfter !== undefined &&
        options.quick !== true && {
          [`the same of the first ${COLD_REQUESTS} requests of a process, µs`]: pairedDifference(
            cold(OURS),
            cold(all),
          ),
        }),
      ...(write.follow && {
        [`p50, ours / bare statement and ${write.follow.name}`]: percentileRatio(figures, OURS, all, 'p50Ms'),
        [`CPU of the ${write.follow.meaning}, µs`]: pairedDifference(cpu(all), cpu(durable)),
      }),
      'CPU of the statement, µs': pairedDifference(cpu(durable), cpu(stepped)),
      [`CPU of the ${write.step.meaning}, µs`]: pairedDifference(cpu(stepped), cpu(BARE)),
      'round trips': trips,
      ...peerRatios(
        figures,
        comparedPeers(write, options),
        write.follow ? ' that sends and logs' : ' that logs',
      ),
    },
  };
}

const comparedPeers = (write: WriteCase, { peers = true }: CaseOptions) =>
  peers ? (write.peers ?? usualPeers) : [];
const stepVariant = ({ step }: WriteCase) => `bare HTTP + ${step.name}`;
const storeVariant = (write: WriteCase) => `${stepVariant(write)} + statement`;
const wholeVariant = (write: WriteCase) =>
  write.follow === undefined ? storeVariant(write) : `${storeVariant(write)} + ${write.follow.name}`;

async function createVariants(
  environment: BenchEnvironment,
  api: BenchServer,
  write: WriteCase,
  { headers, response, event }: Captured,
  options: CaseOptions,
): Promise<{ variants: Variant[]; sent: () => number }> {
  const { route, status, ratePerSecond, bareServer } = write;
  const { roundMs, seed = 1, quick = false, shortest = false } = options;
  const load = {
    connections: CONNECTIONS,
    roundMs,
    warmsUp: !shortest,
    expectedStatus: status,
    ratePerSecond,
    openLoopConnections: CONNECTIONS,
    steadyAfter: quick ? undefined : write.steadyAfter,
    seed,
  };
  let sent = 0;
  /** Sends every request once, to servers that store each. */
  const consuming = (name: string, server: BenchServer, warm?: WriteCase['warmApi']) => {
    let ready: Uint8Array[] = [];
    return httpVariant({
      name,
      server,
      ...load,
      prepare: async (count) => {
        const requests = await write.prepare(count);
        await warm?.(server, requests);
        ready = requests.map(toWire);
      },
      nextRequest: () => {
        const request = ready.pop();
        if (request !== undefined) sent += 1;
        return request;
      },
    });
  };
  const sample = toWire(await prepareOne(write));
  /** Sends one request again and again, to servers that store nothing. */
  const repeating = (name: string, server: BenchServer) =>
    httpVariant({ name, server, ...load, nextRequest: () => sample });
  const bareReply = { path: route, method: 'POST', status, headers, body: response };
  const variables = { ...write.bareVariables, BENCH_RESPONSE: response, BENCH_EVENT: event };
  const bare = (steps: string) => environment.startServer(bareServer, { ...variables, BENCH_STEPS: steps });
  const documents = join(environment.folder, 'documents.json');
  await Bun.write(documents, JSON.stringify({ response: JSON.parse(response), event: JSON.parse(event) }));
  const imitated = { BENCH_DOCUMENTS: documents, BENCH_HEADERS: JSON.stringify(constantHeaders(headers)) };
  const [replying, stepping, storing, following, peers] = await finishAll([
    startWithReply(environment, bareReply),
    bare(write.step.name),
    bare('store'),
    write.follow && bare('follow'),
    startPeers(environment, comparedPeers(write, options), imitated),
  ]);
  for (const [name, peer] of peers) {
    const theirs = await sendOne(peer, write, await prepareOne(write));
    requireSameFields(response, theirs.body);
    const differing = differingHeader(headers, theirs.headers);
    if (differing !== undefined)
      throw new Error(`${name} has another ${differing}: ${theirs.headers[differing]}`);
    await until(`${name} does what follows a response`, () => write.follow?.isRecorded(theirs.body) ?? true);
  }
  const variants = [
    consuming(OURS, api, write.warmApi),
    repeating(BARE, replying),
    repeating(stepVariant(write), stepping),
    consuming(storeVariant(write), storing),
    ...(following ? [consuming(wholeVariant(write), following)] : []),
    ...peers.map(([name, peer]) => consuming(name, peer)),
  ];
  return { variants, sent: () => sent };
}

interface Captured {
  headers: Record<string, string>;
  response: string;
  event: string;
}

/** Sends one request to the api: the response and the event that bare servers and peers imitate. */
async function captureOne(api: BenchServer, write: WriteCase): Promise<Captured> {
  const { body, headers } = await sendOne(api, write, await prepareOne(write));
  return { headers: repeatedHeaders(headers), response: body, event: await write.storedEvent(body) };
}

async function prepareOne(write: WriteCase): Promise<WriteRequest> {
  const [request] = await write.prepare(1);
  if (request === undefined) throw new Error(`${write.name}: no request was prepared`);
  return request;
}

async function sendOne({ port }: BenchServer, { name, status }: WriteCase, request: WriteRequest) {
  const { path, headers, body } = request;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${name}: refused with ${response.status} ${text}`);
  return { body: text, headers: Object.fromEntries(response.headers) };
}

function toWire({ path, headers, body }: WriteRequest): Uint8Array {
  return wireRequest('POST', path, headers, body);
}

function requireSameFields(ours: string, theirs: string): void {
  const fields = (text: string) =>
    Object.keys(JSON.parse(text) as object)
      .sort()
      .join();
  if (fields(ours) !== fields(theirs)) throw new Error(`a peer returns other fields: ${theirs}`);
}
