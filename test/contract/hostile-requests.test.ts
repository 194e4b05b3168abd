import { beforeAll, describe, expect, test } from 'bun:test';
import { parseJson, RequestBody } from '../../src/http/bodies/request-body.ts';
import { Deadlines } from '../../src/shared/deadlines.ts';
import { Problem } from '../../src/shared/problem.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type RawOptions, type RawResponse, sendRaw } from '../support/http/raw-http.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database);
});

function raw(
  requestLine: string,
  headers: readonly string[] = [],
  options: RawOptions = {},
): Promise<RawResponse> {
  const lines = [requestLine, 'Host: localhost', 'Connection: close', ...headers];
  return sendRaw(api.origin, `${lines.join('\r\n')}\r\n\r\n`, options);
}

function codeOf({ body }: RawResponse): string | undefined {
  return body === '' ? undefined : (JSON.parse(body) as { code?: string }).code;
}

describe('paths', () => {
  test.each([
    ['/api/v2/tokens/', 'not_found'],
    ['/api/v2//tokens', 'not_found'],
    ['//api/v2/tokens', 'not_found'],
    ['/API/V2/tokens', 'not_found'],
    ['/api/v2/%74okens', 'not_found'],
    ['/api/v2', 'not_found'],
    ['/api/v1/tokens', 'not_found'],
    ['/tokens', 'not_found'],
    ['/api/v2/tokens/a%2Fb', 'validation_failed'],
    ['/api/v2/tokens/%zz', 'validation_failed'],
    ['/api/v2/tokens/%00', 'validation_failed'],
    ['/api/v2/tokens/%C0%AF', 'validation_failed'],
    [`/api/v2/tokens/${'a'.repeat(12_000)}`, 'validation_failed'],
  ])('%.60s is answered %s', async (path, code) => {
    const response = await raw(`GET ${path} HTTP/1.1`);
    expect(codeOf(response)).toBe(code);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test('encoded characters of a path parameter are decoded before they are judged', async () => {
    const mint = 'So11111111111111111111111111111111111111112';
    const encoded = `%53${mint.slice(1)}`;
    expect(codeOf(await raw(`GET /api/v2/tokens/${encoded} HTTP/1.1`))).toBe('token_not_found');
  });
});

describe('methods', () => {
  test.each(['PUT', 'TRACE', 'PATCH', 'DELETE', 'POST'])(
    '%s of a readable path is 405 with Allow',
    async (method) => {
      const response = await raw(`${method} /api/v2/tokens HTTP/1.1`, ['Content-Length: 0']);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  test('HEAD is GET without its body, for successes and errors', async () => {
    const mint = 'So11111111111111111111111111111111111111112';
    for (const [path, status] of [
      ['/api/v2/tokens', 200],
      [`/api/v2/tokens/${mint}`, 404],
      ['/api/v2/me', 401],
      ['/api/v2/nothing', 404],
      ['/docs/openapi.json', 200],
    ] as const) {
      const response = await fetch(`${api.origin}${path}`, { method: 'HEAD' });
      expect(response.status).toBe(status);
      if (path.startsWith('/api/')) expect(response.headers.get('x-service-api-version')).toBe('2');
      expect(response.headers.get('date')).not.toBeNull();
      expect(await response.text()).toBe('');
    }
  });
});

describe('headers', () => {
  test('an empty Authorization, a tab, or a second key is no key; spaces around one are tolerated', async () => {
    const authorization = `Authorization: Bearer ${key.text}`;
    expect((await raw('GET /api/v2/me HTTP/1.1', ['Authorization:'])).status).toBe(401);
    expect((await raw('GET /api/v2/me HTTP/1.1', [`Authorization: Bearer\t${key.text}`])).status).toBe(401);
    expect((await raw('GET /api/v2/me HTTP/1.1', [authorization, authorization])).status).toBe(401);
    expect((await raw('GET /api/v2/me HTTP/1.1', [`Authorization:   Bearer   ${key.text}   `])).status).toBe(
      200,
    );
  });

  test('repeated or empty Idempotency-Key and If-Match headers are refused', async () => {
    const head = 'POST /api/v2/transaction-intents/0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e/submissions HTTP/1.1';
    const json = [`Authorization: Bearer ${key.text}`, 'Content-Type: application/json', 'Content-Length: 2'];
    const body = { parts: [{ text: '{}' }] };
    const twice = ['Idempotency-Key: key-00000001', 'Idempotency-Key: key-00000002'];
    expect(codeOf(await raw(head, [...json, ...twice], body))).toBe('idempotency_key_invalid');
    expect(codeOf(await raw(head, [...json, 'Idempotency-Key:'], body))).toBe('idempotency_key_invalid');
    const keyed = [...json, 'Idempotency-Key: key-00000001'];
    expect(codeOf(await raw(head, [...keyed, 'If-Match: "1"', 'If-Match: "1"'], body))).toBe(
      'precondition_invalid',
    );
    expect(codeOf(await raw(head, [...keyed, 'If-Match:'], body))).toBe('precondition_invalid');
  });
});

describe('bodies', () => {
  function post(body: Uint8Array | string, headers: readonly string[] = []): Promise<RawResponse> {
    const all = [
      `Authorization: Bearer ${key.text}`,
      'Content-Type: application/json',
      `Idempotency-Key: ${crypto.randomUUID()}`,
      ...(headers.length > 0 ? headers : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    return raw('POST /api/v2/webhook-endpoints HTTP/1.1', all, { parts: [{ text: body }] });
  }

  test.each([
    ['a byte order mark', Buffer.from('\ufeff{}'), 'malformed_json'],
    ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'malformed_json'],
    ['nothing', '', 'malformed_json'],
    ['only spaces', '   ', 'malformed_json'],
    ['a lone number', '1', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['a duplicate key whose last value is wrong', '{"url":"https://a.example","url":5}', 'validation_failed'],
    ['__proto__', '{"__proto__":{"url":"https://a.example"}}', 'validation_failed'],
    ['constructor', '{"constructor":{"prototype":{"url":1}}}', 'validation_failed'],
    [
      'a number beyond double precision',
      '{"url":"https://a.example","description":1e999}',
      'validation_failed',
    ],
    ['deep nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'validation_failed'],
    ['unclosed nesting', '['.repeat(60_000), 'validation_failed'],
    ['nesting beyond the limit', '['.repeat(1_000_000), 'request_body_too_large'],
    ['moderately deep nesting', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`, 'validation_failed'],
    [
      'six thousand keys',
      `{${Array.from({ length: 6_000 }, (_, index) => `"${index}":1`).join()}}`,
      'validation_failed',
    ],
    [
      'a long list',
      `{"url":"https://a.example","eventTypes":[${'"a",'.repeat(1_500)}"a"]}`,
      'validation_failed',
    ],
  ])('%s is refused without a 500', async (_name, body, code) => {
    const response = await post(body);
    expect(codeOf(response)).toBe(code);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('chunks without a length are read as one body', async () => {
    const chunked = ['Transfer-Encoding: chunked'];
    const response = await post('9\r\n{"url":"f\r\n7\r\ntp://x"\r\n1\r\n}\r\n0\r\n\r\n', chunked);
    expect(codeOf(response)).toBe('webhook_url_disallowed');
  });

  test.each([
    ['broken chunks', 'zz\r\n', ['Transfer-Encoding: chunked']],
    ['a length and chunks', '0\r\n\r\n', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['two lengths', '{}x', ['Content-Length: 2', 'Content-Length: 3']],
    ['a negative length', '', ['Content-Length: -5']],
  ])('%s end the connection: nothing after them can be trusted', async (_name, body, headers) => {
    const response = await post(body, headers);
    expect([0, 400]).toContain(response.status);
  });

  test('a body far beyond the limit is refused by its declared length, unread', async () => {
    expect(codeOf(await post('', ['Content-Length: 5000000000']))).toBe('request_body_too_large');
  });

  test.each([
    ['of a declared length', { 'content-length': '60' }],
    ['in chunks', {}],
  ])('a sender %s that never finishes is cut off', async (_name, headers) => {
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0x7b)) });
    const request = new Request('http://localhost/', { method: 'POST', body: endless, headers });
    const failure = await new RequestBody(request, request.headers.get('content-length'))
      .read(60, new Deadlines(20))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(String(failure)).toContain('did not arrive');
  });

  test.each([
    ['of a declared length', { 'content-length': '60' }],
    ['in chunks', {}],
  ])('a sender %s that goes away in the middle has sent a malformed body', async (_name, headers) => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(Uint8Array.of(0x7b));
        controller.error(new DOMException('The connection was closed.', 'AbortError'));
      },
    });
    const request = new Request('http://localhost/', { method: 'POST', body: broken, headers });
    const failure = await new RequestBody(request, request.headers.get('content-length'))
      .read(60)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'malformed_json' });
    expect(String(failure)).toContain('ended early');
  });

  test('structure is counted before it is parsed', () => {
    const padded = Buffer.from(`${' '.repeat(1_000_000)}{"a":[1,2]}`);
    expect(parseJson(padded)).toEqual({ a: [1, 2] });
    expect(() => parseJson(Buffer.from(`[${'1,'.repeat(5_000)}1]`))).toThrow(Problem);
  });
});

test('the other requests of a connection survive a refused one', async () => {
  const responses: number[] = [];
  for (const path of ['/tokens', '/nothing', '/tokens'])
    responses.push((await fetch(`${api.baseUrl}${path}`)).status);
  expect(responses).toEqual([200, 404, 200]);
});
