import { beforeAll, describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { computation, privateRead, publicRead, type Route } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type RawResponse, sendRaw } from '../support/http/raw-http.ts';

const echo = {
  tag: 'System',
  summary: 'Echo of the path parameters',
  description: 'Responds with its path parameters as the handler gets them.',
  successStatus: 200,
  response: Type.Any(),
  problems: [],
} as const;
const oneName = { ...echo, path: '/echo/:name', params: Type.Object({ name: Type.String() }) };

/** Operations whose response is what the router made of their path: a read with two parameters, and two methods of one path. */
const echoes: readonly Route[] = [
  publicRead(
    {
      ...echo,
      id: 'echoPublic',
      method: 'GET',
      path: '/echo/:name/parts/:part',
      auth: 'anonymous',
      ratePolicy: 'public-read-cheap',
      params: Type.Object({ name: Type.String(), part: Type.String() }),
    },
    ({ params }) => ({ body: params }),
  ),
  privateRead(
    { ...oneName, id: 'echoPrivate', method: 'GET', auth: 'any-key', ratePolicy: 'api-key-read' },
    ({ params }) => ({ body: params }),
  ),
  computation(
    {
      ...oneName,
      id: 'echoPosted',
      method: 'POST',
      auth: 'any-key',
      ratePolicy: 'api-key-read',
      storesNothing: true,
      body: Type.Object({}),
      bodyOptional: true,
    },
    async ({ params }) => ({ body: params }),
  ),
];

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  const limit = { limit: 1_000, windowSeconds: 1 };
  const RATE_LIMITS = JSON.stringify({ 'public-read-cheap': limit, 'api-key-read': limit });
  api = await startTestApi({
    environment: { RATE_LIMITS },
    adjustRoutes: (routes) => [...routes, ...echoes],
  });
  key = await createTestKey(api.dependencies.database);
});

/** @param request method and target, as they stand in the first line */
function send(request: string): Promise<RawResponse> {
  const lines = [
    `${request} HTTP/1.1`,
    'Host: api.example',
    'Connection: close',
    `Authorization: ${key.header.authorization}`,
    ...(request.startsWith('POST') ? ['Content-Type: application/json', 'Content-Length: 0'] : []),
  ];
  return sendRaw(api.origin, `${lines.join('\r\n')}\r\n\r\n`);
}

/** Status, then what tells one response from another: `Allow`, problem code and instance, or the body. */
function summaryOf({ status, headers, body }: RawResponse): string {
  const type = headers.get('content-type') ?? '';
  const parts: string[] = [String(status)];
  const allow = headers.get('allow');
  if (allow !== undefined) parts.push(`[${allow}]`);
  if (type === 'application/problem+json' && body !== '') {
    const { code, instance } = JSON.parse(body) as { code: string; instance: string };
    parts.push(code, instance);
  } else parts.push(type.startsWith('application/json') ? body : type);
  return parts.join(' ').trimEnd();
}

/** By what a client sends as a path parameter, what the handler gets. */
const PARAMETERS = [
  ['a', 'a'],
  ['%61', 'a'],
  ['a%2Fb', 'a/b'],
  ['a%2fb', 'a/b'],
  ['a%5Cb', 'a\\b'],
  ['a%00b', 'a\u0000b'],
  ['%00', '\u0000'],
  ['%zz', '\ufffd'],
  ['a%', 'a\ufffd'],
  ['a%4', 'a\ufffd4'],
  ['%C0%AF', '\ufffd'],
  ['%E2%82%AC', '€'],
  ['%F0%9F%98%80', '😀'],
  ['%ED%A0%80', '\ufffd'],
  ['%ff', '\ufffd'],
  ['a+b', 'a+b'],
  ['a%20b', 'a b'],
  ['a%2Bb', 'a+b'],
  ['%252F', '%2F'],
  ['a:b', 'a:b'],
  ['a;b=1', 'a;b=1'],
  ['a,b', 'a,b'],
  ['*', '*'],
  [':name', ':name'],
  ['a@b', 'a@b'],
  ['a~b', 'a~b'],
  ['%2e', '.'],
  ['%2e%2e', '..'],
  ['..', '..'],
  ['.', '.'],
  ['a..b', 'a..b'],
  ['...', '...'],
  ['é', 'é'],
  ['a"b', 'a"b'],
  ['a<b', 'a<b'],
  ['a|b', 'a|b'],
  ['a{b}', 'a{b}'],
  ['a%3Fb', 'a?b'],
  ['a%23b', 'a#b'],
  ['a#b', 'a#b'],
  ['a\\b', 'a\\b'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['%0d%0aX:%20y', '\r\nX: y'],
] as const;

/** Targets that lead nowhere; the problem names them as they were sent. */
const UNKNOWN = [
  '/api/v2/echo/a/',
  '/api/v2/echo//a',
  '/api/v2//echo/a',
  '//api/v2/echo/a',
  '/api/v2/echo/a//parts/b',
  '/api/v2/echo//parts/b',
  '/api/v2/echo/a/parts/',
  '/api/v2/echo/a/parts/b/',
  '/api/v2/echo/a/parts',
  '/api/v2/echo',
  '/api/v2/echo/',
  '/API/v2/echo/a',
  '/api/v2/Echo/a',
  '/api/v2/%65cho/a',
  '/api%2Fv2/echo/a',
  '/api/v2/echo%2Fa',
  '/api/v2/tokens/',
  '/healthz/',
  '//healthz',
  '/%68ealthz',
  '/.well-known/jwks.json/',
  '/.well-known/webhook-public-keys/%61',
  '/.well-known/webhook-public-keys/a%2Fb',
  '/.well-known/webhook-public-keys/',
  '/*',
  '/:mint',
  '/api/v2/*',
  '/token-metadata/a/',
] as const;

/** By method and target, the response. */
const ANSWERS = [
  ['GET /api/v2/echo/a', '200 {"name":"a"}'],
  ['GET /api/v2/echo/a/parts/b', '200 {"name":"a","part":"b"}'],
  ['HEAD /api/v2/echo/a', '200'],
  ['HEAD /api/v2/echo/a/parts/b', '200'],
  ['get /api/v2/echo/a', '0'],
  ['get /api/v2/echo/a/parts/b', '0'],
  ['HEAD /api/v2/tokens', '200'],
  ['HEAD /healthz', '200'],
  ['HEAD /docs', '200 text/html; charset=utf-8'],
  ['HEAD /.well-known/webhook-public-keys/a', '404 application/problem+json'],
  ['HEAD /token-metadata/a', '422 application/problem+json'],
  ['HEAD /nothing', '404 application/problem+json'],
  ['GET /api/v2/echo/%61', '200 {"name":"a"}'],
  ['GET /api/v2/echo/a%2Fb', '200 {"name":"a/b"}'],
  ['GET /api/v2/echo/%zz', '200 {"name":"\ufffd"}'],
  ['GET /api/v2/echo/..', '200 {"name":".."}'],
  ['GET /api/v2/echo/.', '200 {"name":"."}'],
  ['GET /api/v2/echo/%2e%2e', '200 {"name":".."}'],
  ['GET /api/v2/echo/\\', '200 {"name":"\\\\"}'],
  ['GET /api/v2/echo/a\\b', '200 {"name":"a\\\\b"}'],
  ['GET /api/v2/./echo/a', '404 not_found /api/v2/echo/a'],
  ['GET /api/v2/x/../echo/a', '404 not_found /api/v2/echo/a'],
  ['GET /api/v2/echo/a?x=1', '200 {"name":"a"}'],
  ['GET /api/v2/echo/a??', '200 {"name":"a"}'],
  ['GET /api/v2/echo/a/?x', '404 not_found /api/v2/echo/a/'],
  ['GET /api/v2/echo/a?b/parts/c', '200 {"name":"a"}'],
  ['GET /api/v2/tokens?limit=1', '200 {"data":[],"page":{"hasMore":false,"nextCursor":null}}'],
  ['GET /healthz?x', '200 {"status":"ok"}'],
  ['GET /.well-known/jwks.json', '200 application/jwk-set+json'],
  ['GET /docs/', '308'],
  ['GET /docs//', '308'],
  ['GET /docs/assets', '404 text/html; charset=utf-8'],
  ['GET /docs/reference/operations/getToken', '200 text/html; charset=utf-8'],
  ['GET /docs/reference/operations/', '404 text/html; charset=utf-8'],
  ['GET /docs/reference/operations/a/b', '404 text/html; charset=utf-8'],
  ['GET /', '302'],
  ['GET /api/v2/tokens/:mint', '422 validation_failed /api/v2/tokens/:mint'],
  ['GET /api/v2/operations/a', '422 validation_failed /api/v2/operations/a'],
  ['GET /token-metadata/a', '422 validation_failed /token-metadata/a'],
  ['GET /token-metadata/%zz', '422 validation_failed /token-metadata/%zz'],
  ['GET /images/a', '422 validation_failed /images/a'],
  ['GET /operation-results/a', '404 text/plain; charset=utf-8'],
  ['GET /operation-results/a%2Fb', '404 text/plain; charset=utf-8'],
  ['GET http://other.example/api/v2/echo/a', '200 {"name":"a"}'],
  ['GET http://other.example/api/v2/echo/a%2Fb?x', '200 {"name":"a/b"}'],
  ['GET http://other.example/api/v2/echo/a/', '404 not_found /api/v2/echo/a/'],
  ['GET http://other.example', '302'],
  ['GET http://other.example/', '302'],
  ['GET http://u:p@other.example/api/v2/echo/a', '200 {"name":"a"}'],
  ['GET http:///api/v2/echo/a', '200 {"name":"a"}'],
] as const;

/** By target, what `Allow` has; null for a path outside the contract, which no other method knows. */
const METHODS = [
  ['/api/v2/echo/a', 'GET, HEAD, POST, OPTIONS'],
  ['/api/v2/echo/a/parts/b', 'GET, HEAD, OPTIONS'],
  ['/api/v2/tokens', 'GET, HEAD, OPTIONS'],
  ['/token-metadata/a', null],
  ['/.well-known/webhook-public-keys/a', null],
  ['/healthz', null],
  ['/docs', null],
  ['/nothing', null],
] as const;

describe('the router decides as it always has', () => {
  test('a path parameter is decoded once, whatever it holds, and no part of it is a separator', async () => {
    for (const [sent, decoded] of PARAMETERS) {
      const first = await send(`GET /api/v2/echo/${sent}/parts/x`);
      const last = await send(`GET /api/v2/echo/x/parts/${sent}`);
      expect([sent, JSON.parse(first.body), JSON.parse(last.body)]).toEqual([
        sent,
        { name: decoded, part: 'x' },
        { name: 'x', part: decoded },
      ]);
    }
  });

  test('a target that differs from a known path in any way leads nowhere', async () => {
    for (const target of UNKNOWN)
      expect(summaryOf(await send(`GET ${target}`))).toBe(`404 not_found ${target}`);
  });

  test.each(ANSWERS)('%s', async (request, answer) => {
    expect(summaryOf(await send(request))).toBe(answer);
  });

  test.each(METHODS)('other methods of %s get 405, or 404 outside the contract', async (path, allow) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      if (allow?.includes(method)) continue;
      const refused = allow === null ? '404 not_found' : `405 [${allow}] method_not_allowed`;
      expect([method, summaryOf(await send(`${method} ${path}`))]).toEqual([method, `${refused} ${path}`]);
    }
    const options = allow === null ? `404 not_found ${path}` : `204 [${allow}]`;
    expect(summaryOf(await send(`OPTIONS ${path}`))).toBe(options);
  });

  test('the length of a path decides nothing up to the bound of the server', async () => {
    for (const name of ['a'.repeat(14_000), '%41'.repeat(4_000)])
      expect(JSON.parse((await send(`GET /api/v2/echo/${name}`)).body)).toEqual({
        name: decodeURIComponent(name),
      });
    for (const target of [`/api/v2/${'a/'.repeat(4_000)}`, `/${'a'.repeat(14_000)}`])
      expect(summaryOf(await send(`GET ${target}`))).toBe(`404 not_found ${target.slice(0, 512)}`);
    expect((await send(`GET /api/v2/echo/${'a'.repeat(60_000)}`)).status).toBe(431);
  });
});
