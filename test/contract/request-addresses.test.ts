import { beforeAll, describe, expect, test } from 'bun:test';
import { RESULTS_PATH } from '../../src/features/operations/results/links.ts';
import { startMetricsServer } from '../../src/shared/metrics/metrics-server.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { type RawResponse, sendRaw } from '../support/http/raw-http.ts';
import { startTestInternalApi, type TestInternalApi } from '../support/internal/internal-api.ts';
import { atEnd } from '../support/run/cleanup.ts';

let api: TestApi;
let key: TestKey;
let internal: TestInternalApi;

beforeAll(async () => {
  api = await startTestApi({ environment: localWebhooks });
  key = await createTestKey(api.dependencies.database);
  internal = await startTestInternalApi();
});

/** How a request may name its address, apart from the path. */
interface Form {
  version: '1.0' | '1.1';
  host: string | null;
  /** Before the path: the absolute form of a request to a proxy. */
  origin: string;
}

const PLAIN: Form = { version: '1.1', host: 'api.example', origin: '' };
const odd = [
  '',
  'h',
  'a/b',
  'a?b',
  'a#b',
  'a@b',
  'a\\b',
  'a"b',
  'a b',
  'é',
  '[::1',
  'a:99999',
  'x://y',
  '//x/y',
];
const FORMS: readonly (readonly [name: string, form: Form])[] = [
  ['HTTP/1.0 without Host', { version: '1.0', host: null, origin: '' }],
  ...odd.map((host) => [`Host: ${host}`, { ...PLAIN, host }] as const),
  ['the absolute form', { ...PLAIN, origin: 'http://other.example' }],
  ['the absolute form without Host', { version: '1.0', host: null, origin: 'http://other.example/' }],
];

function send(
  at: string,
  method: string,
  target: string,
  { version, host, origin }: Form,
  { headers = [], body = '' }: { headers?: readonly string[]; body?: string } = {},
): Promise<RawResponse> {
  const head = [
    `${method} ${origin.replace(/\/$/, '')}${target} HTTP/${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...headers,
  ];
  return sendRaw(at, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** What must not depend on the form of the address. */
function meaningOf({ status, headers, body }: RawResponse) {
  const isProblem = headers.get('content-type') === 'application/problem+json';
  const { code, instance } = (isProblem ? JSON.parse(body) : {}) as { code?: string; instance?: string };
  const [allow, location, type] = ['allow', 'location', 'content-type'].map((name) => headers.get(name));
  return { status, code, instance, allow, location, type };
}

const EVENT_PAGE = '/docs/reference/events/token.launched';
const REQUESTS = [
  ['GET', '/api/v2/tokens?limit=1'],
  ['GET', '/api/v2/tokens?limit=none'],
  ['GET', '/api/v2/tokens/unknown'],
  ['DELETE', '/api/v2/tokens'],
  ['OPTIONS', '/api/v2/tokens'],
  ['GET', '/api/v2/unknown/path?limit=1'],
  ['GET', '//api/v2/tokens'],
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/docs/'],
  ['GET', '/docs/guides/unknown'],
  ['GET', EVENT_PAGE],
  ['GET', `${EVENT_PAGE}?format=html`],
  ['GET', `${RESULTS_PATH}/0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e?expires=1`],
  ['GET', '/healthz'],
  ['GET', '/.well-known/jwks.json'],
] as const;

describe.each(FORMS)('%s', (_name, form) => {
  test('every request is answered as with a plain Host', async () => {
    for (const [method, target] of REQUESTS) {
      const expected = meaningOf(await send(api.origin, method, target, PLAIN));
      const found = meaningOf(await send(api.origin, method, target, form));
      expect({ method, target, ...found }).toEqual({ method, target, ...expected });
      expect(found.status).toBeLessThan(500);
    }
  });

  test('a change is replayed to a client that names the service in another form', async () => {
    const body = '{"url":"http://127.0.0.1:8080/hook"}';
    const headers = [
      `Authorization: ${key.header.authorization}`,
      `Idempotency-Key: ${crypto.randomUUID()}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const create = (one: Form) =>
      send(api.origin, 'POST', '/api/v2/webhook-endpoints', one, { headers, body });
    const first = await create(PLAIN);
    const again = await create(form);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toBe(first.body);
    const id = (JSON.parse(first.body) as { id: string }).id;
    await send(api.origin, 'DELETE', `/api/v2/webhook-endpoints/${id}`, form, {
      headers: [`Authorization: ${key.header.authorization}`, `Idempotency-Key: ${id}`, 'If-Match: "1"'],
    });
  });

  test('the internal API and the port of metrics know the path as well', async () => {
    const metrics = { contentType: 'text/plain', read: async () => 'up 1\n' };
    const server = startMetricsServer({ port: 0, hostname: '127.0.0.1', metrics, readiness: [] });
    atEnd(() => server.stop());
    const of = async (at: string, method: string, path: string) =>
      (await send(at, method, path, form)).status;
    expect(await of(internal.origin, 'GET', '/internal/v1/openapi.json')).toBe(200);
    expect(await of(internal.origin, 'PATCH', '/internal/v1/tokens')).toBe(405);
    expect(await of(internal.origin, 'GET', '/internal/v1/nothing')).toBe(404);
    expect(await of(internal.origin, 'GET', '/healthz')).toBe(200);
    const origin = `http://127.0.0.1:${server.port}`;
    expect(await of(origin, 'GET', '/metrics')).toBe(200);
    expect(await of(origin, 'GET', '/nothing/metrics')).toBe(404);
  });
});

test.each([
  '/api/v2/unknown/../tokens',
  '/api/v2/%2e%2e/v2/tokens',
  '/api\\v2\\tokens',
  '/api/v2/../../metrics',
  '/docs/../healthz',
])('%s leads nowhere: a proxy in front has seen another path', async (path) => {
  const response = await send(api.origin, 'GET', path, PLAIN);
  expect(response.status).toBe(404);
});

test('no part of a path is taken for the whole, however short the host', async () => {
  for (const form of [PLAIN, ...FORMS.map(([, one]) => one)])
    for (const path of ['/aaaaaaaaaaaa/healthz', '/aa/healthz', '/docs/aaaaaaa/api/v2/tokens'])
      expect({ path, form, status: (await send(api.origin, 'GET', path, form)).status }).toEqual({
        path,
        form,
        status: 404,
      });
});

test.each(['*', 'api/v2/tokens', 'api.example:443'])(
  'the target %s is refused by the server',
  async (target) => {
    for (const method of ['GET', 'OPTIONS'])
      expect((await send(api.origin, method, target, PLAIN)).status).toBe(400);
  },
);
