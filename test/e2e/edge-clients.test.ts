import { beforeAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import type { Database } from '../../src/db/client.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { startFaultyProxy } from '../support/client/faulty-proxy.ts';
import {
  type EdgeAnswer,
  type EdgeRequest,
  edgeClients,
  executable,
  pathOf,
  sendByUndici,
} from '../support/edge/edge-clients.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { storeBondingToken } from '../support/market/stored-token.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let database: Database;
let origin: string;
let host: string;

beforeAll(async () => {
  database = await openDatabase();
  const RATE_LIMITS = '{"operation-read":{"limit":1,"windowSeconds":86400}}';
  const { baseUrl } = await startApiProcess(urlOf(database), { RATE_LIMITS });
  ({ origin, host } = new URL(baseUrl));
});

const json = (answer: EdgeAnswer) => JSON.parse(answer.body.toString());

function creation({ header }: TestKey, idempotencyKey: string, body: object): EdgeRequest {
  const headers = { ...header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return { method: 'POST', path: '/api/v2/webhook-endpoints', headers, body: JSON.stringify(body) };
}

const hook = { url: 'http://127.0.0.1:8080/hook' };

/** One request of each kind, with its status. */
async function everyKind(key: TestKey) {
  const get = (path: string, headers: Record<string, string> = { ...key.header }): EdgeRequest => ({
    method: 'GET',
    path,
    headers,
  });
  const tokens = await fetch(`${origin}/api/v2/tokens`);
  const etag = tokens.headers.get('etag') ?? '';
  const operation = get(`/api/v2/operations/${Bun.randomUUIDv7()}`);
  const expecting = creation(key, 'edge-continued', hook);
  return {
    got: { ...get('/api/v2/me'), status: 200 },
    head: { ...get('/api/v2/me'), method: 'HEAD', status: 200 },
    notModified: { ...get('/api/v2/tokens', { 'if-none-match': etag }), status: 304 },
    created: { ...creation(key, 'edge-created', hook), status: 201 },
    replayed: { ...creation(key, 'edge-created', hook), status: 201 },
    missing: { ...operation, status: 404 },
    limited: { ...operation, status: 429 },
    refused: { ...creation(key, 'edge-refused', { surprise: 1 }), status: 422 },
    large: { ...creation(key, 'edge-large', { url: 'x'.repeat(70_000) }), status: 413 },
    huge: { ...creation(key, 'edge-huge', { url: 'x'.repeat(3_000_000) }), status: 413 },
    continued: { ...expecting, headers: { ...expecting.headers, expect: '100-continue' }, status: 201 },
    compressed: { ...get('/docs/openapi.json', { 'accept-encoding': 'gzip' }), status: 200 },
    stream: { ...get('/api/v2/stream?topics=trades', {}), until: 'event: heartbeat', status: 200 },
    after: { ...get('/api/v2/me'), status: 200 },
  };
}

describe('a client that nobody here wrote', () => {
  test.each(Object.entries(edgeClients))('%s gets what it asks for', async (name, send) => {
    const key = await createTestKey(database);
    const { continued, ...others } = await everyKind(key);
    // undici takes no Expect header.
    const requests = Object.entries(name === 'undici' ? others : { ...others, continued });
    const list = await send(
      host,
      requests.map(([, request]) => request),
    );
    const answers = Object.fromEntries(list.map((answer, at) => [requests[at]?.[0] ?? '', answer]));
    const statuses = list.map((answer, at) => [requests[at]?.[0], answer.status]);
    expect(statuses).toEqual(requests.map(([kind, { status }]) => [kind, status]));
    expectWhole(answers, key);
    const rows = await database`select id from webhook_endpoints where account_id = ${key.accountId}`;
    expect(rows).toHaveLength(name === 'undici' ? 1 : 2);
  });
});

/** Beyond the statuses: bodies and headers of each kind. */
function expectWhole(answers: Readonly<Record<string, EdgeAnswer>>, { accountId }: TestKey): void {
  const of = (kind: string) => answers[kind] ?? expect.unreachable();
  expect(json(of('got')).accountId).toBe(accountId);
  for (const kind of ['head', 'notModified']) expect(of(kind).body, kind).toBeEmpty();
  expect(of('head').headers['content-length']).toBe(of('got').headers['content-length'] ?? '');
  expect(of('notModified').headers.etag).toMatch(/^"[\w-]+"$/);
  expect(of('replayed').headers['idempotent-replayed']).toBe('true');
  expect(of('replayed').body).toEqual(of('created').body);
  for (const { status, headers, body } of Object.values(answers))
    if (status >= 400) {
      expect(headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(body.toString())).toMatchObject({ status, requestId: headers['x-request-id'] });
    }
  expect(Number(of('limited').headers['retry-after'])).toBeGreaterThan(0);
  expect(of('compressed').headers['content-encoding']).toBe('gzip');
  const document = gunzipSync(of('compressed').body).toString();
  expect(JSON.parse(document)).toHaveProperty('paths');
  expect(of('stream').body.toString()).toStartWith('event: ready\nretry: 1000\ndata: {');
  const dates = Object.values(answers).map(({ headers }) => Date.parse(headers.date ?? ''));
  expect(dates.every((date) => date > 0)).toBe(true);
}

describe('undici', () => {
  test('with ten requests on the connection at once gets the response of each', async () => {
    const paths = Array.from({ length: 40 }, () => `/api/v2/tokens/${newAddress()}`);
    const requests = paths.map((path, at) => ({ method: at % 7 === 0 ? 'HEAD' : 'GET', path, headers: {} }));
    const answers = await sendByUndici(host, requests, 10);
    for (const [at, answer] of answers.entries()) {
      expect(answer.status).toBe(404);
      if (at % 7 === 0) expect(answer.body).toBeEmpty();
      else expect(json(answer).instance).toBe(paths[at]);
    }
  });

  test('repeats a POST whose connection was cut, and it has happened once', async () => {
    const key = await createTestKey(database);
    const proxy = await startFaultyProxy(origin);
    proxy.faults.push('lose', 'lose');
    const [answer] = await sendByUndici(
      new URL(proxy.origin).host,
      [creation(key, 'edge-repeated', hook)],
      1,
    );
    expect(proxy.requests.map(({ answered, replayed }) => [answered, replayed])).toEqual([
      [201, false],
      [201, true],
      [201, true],
    ]);
    const rows = await database`select id from webhook_endpoints where account_id = ${key.accountId}`;
    expect(rows.map(({ id }) => id)).toEqual([json(answer as EdgeAnswer).id]);
  });
});

test('eventsource and ws get every trade once and in order, however often they are cut', async () => {
  const mint = newAddress();
  await storeBondingToken(database, mint);
  const link = await TcpLink.open('edge', [Number(new URL(origin).port)]);
  atEnd(async () => link.close());
  const url = `http://127.0.0.1:${link.port}/api/v2/stream?topics=trades:${mint}`;
  const child = spawn(await executable('node'), [pathOf('stream-clients.mjs'), url]);
  atEnd(async () => void child.kill());
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const linesOf = (client: string) =>
    printed
      .split('\n')
      .flatMap((line) => (line.startsWith(`${client} `) ? [line.slice(client.length + 1)] : []));
  const clients = ['eventsource', 'ws'];
  for (const client of clients)
    await eventually(`${client} follows`, async () => linesOf(client).includes('ready'));
  const trades = Array.from({ length: 12 }, (_, at) => numberedTrade(mint, 900_000 + at));
  for (const [at, trade] of trades.entries()) {
    const isCut = at % 4 === 2;
    if (isCut) link.set({ mode: 'refused' });
    await database.begin((transaction) => storeTrades(transaction, [trade]));
    if (isCut) link.mend();
    for (const client of clients)
      await eventually(`${client} has trade ${at}`, async () => linesOf(client).includes(trade.id));
  }
  const ids = trades.map(({ id }) => id);
  for (const client of clients) expect(linesOf(client).filter((line) => line !== 'ready')).toEqual(ids);
});
