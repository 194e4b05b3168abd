import { join } from 'node:path';
import { type CaseOptions, type CaseResult, percentileRatio, ratio } from '../cases/case.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { httpVariant } from '../cases/http-variant.ts';
import { wireRequest } from '../load/wire-request.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { alternate } from '../measurement/rounds.ts';
import type { BareReply } from '../servers/bare-reply.ts';
import { type Peer, peerRatios, startPeers, usualPeers } from './peers.ts';
import { constantHeaders, differingHeader, repeatedHeaders } from './response-headers.ts';
import { BARE, FLOOR, OURS } from './variant-names.ts';

export interface ReadRequest {
  name: string;
  /** Path below the origin, with its query. */
  path: string;
  /** Route of Bun's native router, for the bare server. */
  route: string;
  headers?: Record<string, string>;
  status: 200 | 304;
  /** Text that the body must contain; empty for a 304. */
  contains: string;
  ratePerSecond: number;
  connections: number;
  /** The client sends the ETag of the body it has. */
  sendsEtag?: boolean;
  /** Cache key of the response in the peers; null when they query the database. */
  cacheKey: string | null;
  /** By default the usual ones. */
  peers?: readonly Peer[];
}

/** A read of the product beside the limit and the peers, in one run. */
export async function measureRead(
  environment: BenchEnvironment,
  described: ReadRequest,
  { rounds, roundMs, quick = false, shortest = false, seed = 1, peers = true }: CaseOptions,
): Promise<CaseResult> {
  const api = await environment.startApi();
  const full = await fetchOnce(api, { ...described, headers: described.headers ?? {} });
  const request = described.sendsEtag
    ? { ...described, headers: { ...described.headers, 'if-none-match': full.headers.etag ?? '' } }
    : described;
  const expected = await fetchOnce(api, request);
  const compared = peers ? (request.peers ?? usualPeers) : [];
  const variables = {
    BENCH_REPLIES: await writeReplies(environment, request, full),
    BENCH_HEADERS: JSON.stringify(constantHeaders(full.headers)),
  };
  const [bare, floor, started] = await finishAll([
    startBare(environment, request, expected),
    startBare(environment, request, expected, { BENCH_FLOOR: 'true' }),
    startPeers(environment, compared, variables),
  ]);
  const servers: [string, BenchServer][] = [[OURS, api], [BARE, bare], [FLOOR, floor], ...started];
  const requireAllSame = async () => {
    for (const [name, server] of servers)
      requireSame(name, request, expected, await fetchOnce(server, request));
  };
  await requireAllSame();
  const bytes = wireRequest('GET', request.path, { ...clientHeaders, ...request.headers });
  const ratePerSecond = quick ? Math.ceil(request.ratePerSecond / 2) : request.ratePerSecond;
  const figures = await alternate(
    servers.map(([name, server]) =>
      httpVariant({
        name,
        server,
        connections: request.connections,
        roundMs,
        warmsUp: !shortest,
        expectedStatus: request.status,
        nextRequest: () => bytes,
        ratePerSecond,
        seed,
      }),
    ),
    rounds,
  );
  // Checked under load and before it.
  await requireAllSame();
  return {
    name: `${request.name}, ${expected.bytes} bytes; closed loop of ${request.connections}, open loop at ${ratePerSecond}/s`,
    figures,
    ratios: {
      'throughput, ours / floor': ratio(figures, OURS, FLOOR, 'requestsPerSecond'),
      'p99, ours / floor': percentileRatio(figures, OURS, FLOOR, 'p99Ms'),
      'server CPU, ours / floor': ratio(figures, OURS, FLOOR, 'cpuMicrosecondsPerRequest'),
      'throughput, ours / bare': ratio(figures, OURS, BARE, 'requestsPerSecond'),
      'p50, ours / bare': percentileRatio(figures, OURS, BARE, 'p50Ms'),
      'p99, ours / bare': percentileRatio(figures, OURS, BARE, 'p99Ms'),
      'server CPU, ours / bare': ratio(figures, OURS, BARE, 'cpuMicrosecondsPerRequest'),
      'main thread CPU, ours / floor': ratio(figures, OURS, FLOOR, 'mainThreadCpuMicrosecondsPerRequest'),
      ...peerRatios(figures, compared),
    },
  };
}

const clientHeaders = { accept: 'application/json', 'user-agent': 'bench' };

interface FetchedResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  bytes: number;
}

async function fetchOnce(
  { port }: BenchServer,
  { path, headers = {} }: ReadRequest,
): Promise<FetchedResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...clientHeaders, ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    bytes: Buffer.byteLength(text),
  };
}

function startBare(
  environment: BenchEnvironment,
  { route, status }: ReadRequest,
  expected: FetchedResponse,
  variables: Record<string, string> = {},
): Promise<BenchServer> {
  const headers = repeatedHeaders(expected.headers);
  const body = status === 304 ? null : expected.text;
  return startWithReply(environment, { path: route, method: 'GET', status, headers, body }, variables);
}

/** Starts a bare server that returns exactly this response. */
export async function startWithReply(
  environment: BenchEnvironment,
  reply: BareReply,
  variables: Record<string, string> = {},
): Promise<BenchServer> {
  const file = join(environment.folder, `${Bun.randomUUIDv7()}.json`);
  await Bun.write(file, JSON.stringify(reply));
  return environment.startServer('bare-reply.ts', { ...variables, BENCH_REPLY: file });
}

async function writeReplies(
  environment: BenchEnvironment,
  { cacheKey }: ReadRequest,
  { text, headers }: FetchedResponse,
): Promise<string> {
  const file = join(environment.folder, 'replies.json');
  const etag = headers.etag ?? '';
  await Bun.write(file, JSON.stringify(cacheKey === null ? {} : { [cacheKey]: { text, etag } }));
  return file;
}

/** Every variant must return the status, header names, fixed values and body of the product. */
function requireSame(
  name: string,
  request: ReadRequest,
  ours: FetchedResponse,
  theirs: FetchedResponse,
): void {
  const fail = (what: string) => {
    throw new Error(`${request.name}: ${name} ${what}`);
  };
  if (theirs.status !== request.status) fail(`returned ${theirs.status}: ${theirs.text.slice(0, 300)}`);
  if (withoutTime(theirs.text) !== withoutTime(ours.text))
    fail(`returned another body: ${theirs.text.slice(0, 300)}`);
  if (!theirs.text.includes(request.contains))
    fail(`returned a body without ${request.contains}: ${theirs.text.slice(0, 300)}`);
  const differing = differingHeader(ours.headers, theirs.headers);
  if (differing !== undefined) fail(`has another ${differing}: ${theirs.headers[differing]}`);
}

/** Some bodies hold their time of creation. */
function withoutTime(text: string): string {
  return text.replace(/"asOf":"[^"]*"/, '"asOf":""');
}
