import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { Keypair } from '@solana/web3.js';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { expectNoRate, expectRate } from '../support/api/rate-headers.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database);
});

const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const MINT = 'So11111111111111111111111111111111111111112';

function pathOf({ path }: RouteDefinition): string {
  return path.replace(':mint', MINT).replace(/:\w+/g, UUID);
}

function send(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, init);
}

const json = { 'content-type': 'application/json' };

describe('the first failing check answers (contract/requests#order-of-checks)', () => {
  test('an anonymous caller with a malformed body gets 401 from every protected operation', async () => {
    for (const operation of operations.filter(({ auth }) => auth !== 'anonymous')) {
      const hasBody = operation.method !== 'GET';
      const response = await send(pathOf(operation), {
        method: operation.method,
        headers: { 'content-type': 'text/plain' },
        ...(hasBody && { body: '{bad' }),
      });
      await expectProblem(response, 'invalid_api_key');
    }
  });

  test('scope before rate limit, rate limit before content type', async () => {
    const narrow = await createTestKey(api.dependencies.database, { scopes: ['fees:read'] });
    const body = await expectProblem(
      await send('/webhook-endpoints', { method: 'POST', headers: narrow.header, body: '{bad' }),
      'insufficient_scope',
    );
    expect(body.context).toMatchObject({ missingScopes: ['webhooks:write'] });
    const refused = await send('/webhook-endpoints', {
      method: 'POST',
      headers: narrow.header,
      body: '{bad',
    });
    expectNoRate(refused);
    await refused.body?.cancel();
  });

  test('content type, then idempotency key, then precondition, then JSON, then schema', async () => {
    const path = `/transaction-intents/${UUID}/submissions`;
    const attempt = (headers: Record<string, string>, body: string) =>
      send(path, { method: 'POST', headers: { ...key.header, ...headers }, body });
    await expectProblem(await attempt({ 'content-type': 'text/plain' }, '{bad'), 'unsupported_content_type');
    for (const none of [json, { ...json, 'idempotency-key': '' }]) {
      const missing = await expectProblem(await attempt(none, '{bad'), 'idempotency_key_invalid');
      expect(missing.detail).toStartWith('Idempotency-Key is missing: ');
    }
    const short = await expectProblem(
      await attempt({ ...json, 'idempotency-key': 'short' }, '{bad'),
      'idempotency_key_invalid',
    );
    expect(short.detail).toBe('Idempotency-Key must be 8 to 128 printable ASCII characters.');
    const keyed = { ...json, 'idempotency-key': 'key-00000001' };
    await expectProblem(await attempt(keyed, '{bad'), 'precondition_required');
    const beyondInt8 = '"9223372036854775808"';
    for (const tag of ['1', 'W/"1"', '"1", "2"', '*', '"0"', '"-1"', '"01"', beyondInt8, '"a"', '""']) {
      await expectProblem(await attempt({ ...keyed, 'if-match': tag }, '{bad'), 'precondition_invalid');
    }
    const matched = { ...keyed, 'if-match': '"1"' };
    await expectProblem(await attempt(matched, '{bad'), 'malformed_json');
    const invalid = await expectProblem(
      await attempt(matched, '{"version":"x","extra":1}'),
      'validation_failed',
    );
    expect(invalid.errors?.map(({ path: at, code }) => `${at} ${code}`).sort()).toEqual([
      '/body/extra unknown_field',
      '/body/signedTransaction required',
      '/body/version invalid_type',
    ]);
    await expectProblem(
      await attempt(matched, '{"signedTransaction":"AA=="}'),
      'transaction_intent_not_found',
    );
  });

  test('a media type parameter is accepted', async () => {
    const headers = { ...key.header, 'content-type': 'application/json; charset=utf-8' };
    await expectProblem(
      await send('/webhook-endpoints', { method: 'POST', headers, body: '{bad' }),
      'idempotency_key_invalid',
    );
  });

  test('an unknown path is 404, another method 405 with Allow', async () => {
    await expectProblem(await send('/nothing'), 'not_found');
    await expectProblem(await send('/tokens/'), 'not_found');
    const response = await send('/me', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    await expectProblem(response, 'method_not_allowed');
  });

  test('OPTIONS names the methods, and admits browsers on anonymous operations only', async () => {
    const open = await send('/tokens', { method: 'OPTIONS' });
    expect(open.status).toBe(204);
    expect(open.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    const closed = await send('/me', { method: 'OPTIONS' });
    expect(closed.status).toBe(204);
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a page can read what is wrong with its path or method, and ask with the headers that its client adds', async () => {
    for (const [path, method] of [
      ['/nothing', 'GET'],
      ['/nothing', 'OPTIONS'],
      ['/tokens', 'POST'],
    ] as const)
      expect((await send(path, { method })).headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await send('/tokens', { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('Content-Type');
  });

  test('a compressed body is 415 and says what is taken, a plain one is not', async () => {
    const post = (encoding: string, body: Uint8Array | string) =>
      send('/webhook-endpoints', {
        method: 'POST',
        headers: {
          ...key.header,
          'content-type': 'application/json',
          'content-encoding': encoding,
          'idempotency-key': crypto.randomUUID(),
        },
        body,
      });
    for (const encoding of ['gzip', 'br', 'gzip, identity']) {
      const response = await post(encoding, Bun.gzipSync(Buffer.from('{}')));
      expect(response.headers.get('accept-encoding')).toBe('identity');
      await expectProblem(response, 'unsupported_content_type');
    }
    await expectProblem(await post('identity', '{}'), 'validation_failed');
  });

  test('any version up to int8 that is not the current one is 412', async () => {
    const { database } = api.dependencies;
    const endpointId = await insertEndpoint(database, { accountId: key.accountId });
    const prepared = { accountId: key.accountId, wallet: Keypair.generate() };
    const { id: intentId } = await createPreparedIntent(database, prepared);
    for (const version of ['2', '2147483647', '2147483648', '9007199254740993', '9223372036854775807']) {
      const headers = {
        ...key.header,
        ...json,
        'idempotency-key': 'key-00000002',
        'if-match': `"${version}"`,
      };
      const path = `/webhook-endpoints/${endpointId}`;
      const change = await send(path, { method: 'PATCH', headers, body: '{"description":"x"}' });
      await expectProblem(change, 'precondition_failed');
      const submission = await send(`/transaction-intents/${intentId}/submissions`, {
        method: 'POST',
        headers,
        body: '{"signedTransaction":"AA=="}',
      });
      await expectProblem(submission, 'transaction_intent_version_conflict');
    }
  });

  test('a body that is too large is 413, declared or counted', async () => {
    const headers = { ...key.header, ...json };
    const large = 'x'.repeat(1_048_577);
    await expectProblem(
      await send('/webhook-endpoints', { method: 'POST', headers, body: large }),
      'request_body_too_large',
    );
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(65_536, 0x20));
      },
    });
    await expectProblem(
      await send('/webhook-endpoints', { method: 'POST', headers, body: chunked }),
      'request_body_too_large',
    );
  });

  test('two Authorization headers are none', async () => {
    const { port } = new URL(api.origin);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const line = `Authorization: ${key.header.authorization}\r\n`;
        socket.write(`GET /api/v2/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${line}${line}\r\n`);
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toStartWith('HTTP/1.1 401');
  });
});

describe('headers', () => {
  test('every response below /api/v2 forbids guessing its content type', async () => {
    const { database } = api.dependencies;
    const id = await insertEndpoint(database, { accountId: key.accountId });
    const headers = { ...key.header, ...json, 'idempotency-key': 'key-00000003' };
    const etag = (await send('/tokens')).headers.get('etag') ?? '';
    const stop = new AbortController();
    const responses = {
      200: await send('/tokens'),
      304: await send('/tokens', { headers: { 'if-none-match': etag } }),
      202: await send(`/webhook-endpoints/${id}/pings`, { method: 'POST', headers }),
      204: await send('/tokens', { method: 'OPTIONS' }),
      401: await send('/me'),
      404: await send('/nothing'),
      405: await send('/tokens', { method: 'PUT' }),
      422: await send('/tokens?limit=0'),
      stream: await send('/stream?topics=tokens', { signal: stop.signal }),
    };
    for (const [status, response] of Object.entries(responses)) {
      expect(response.status).toBe(Number(status) || 200);
      expect(response.headers.get('x-content-type-options'), status).toBe('nosniff');
    }
    stop.abort();
  });

  test('only 401 says which credential is needed, and whether one was refused', async () => {
    const anonymous = await send('/me');
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer realm="launchwire"');
    await expectProblem(anonymous, 'invalid_api_key');
    for (const path of ['/me', '/stream?topics=tokens']) {
      const refused = await send(path, { headers: { authorization: 'Bearer nonsense' } });
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer realm="launchwire", error="invalid_token"',
      );
      await expectProblem(refused, 'invalid_api_key');
    }
    expect((await send('/me', { headers: key.header })).headers.get('www-authenticate')).toBeNull();
    expect((await send('/tokens?limit=0')).headers.get('www-authenticate')).toBeNull();
  });

  test('every success carries request id, version, duration, trace and rate limit', async () => {
    const response = await send('/me', { headers: key.header });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(response.headers.get('x-service-api-version')).toBe('2');
    expect(response.headers.get('x-duration-ms')).toMatch(/^\d+$/);
    expectRate(response, 'api-key-read', { limit: 6_000, windowSeconds: 60 });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('Authorization');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await response.json()).toMatchObject({
      accountId: key.accountId,
      keyId: key.keyId,
      environment: 'test',
    });
  });

  test('a valid trace is continued with a new span, an invalid one replaced', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const sent = `00-${traceId}-00f067aa0ba902b7-01`;
    const continued =
      (await send('/tokens', { headers: { traceparent: sent } })).headers.get('traceparent') ?? '';
    expect(continued).toStartWith(`00-${traceId}-`);
    expect(continued).not.toBe(sent);
    const later = await send('/tokens', {
      headers: { traceparent: `cc-${traceId}-00f067aa0ba902b7-03-more` },
    });
    expect(later.headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    const replaced = (
      await send('/tokens', { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` } })
    ).headers;
    expect(replaced.get('traceparent')).not.toContain('0'.repeat(32));
  });

  test('anonymous reads are cacheable and conditional', async () => {
    const first = await send('/tokens');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await send('/tokens', { headers: { 'if-none-match': tag } });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    expect((await send('/tokens', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const head = await send('/tokens', { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(etag);
    expectRate(head, 'public-read-cheap');
    expect(await head.text()).toBe('');
  });
});

const MALFORMED = 'The `Authorization` header is not `Bearer <key>` with one complete API key.';
const UNKNOWN = 'The API key is unknown: it is mistyped, or belongs to another deployment.';

describe('authentication', () => {
  test.each([
    ['no scheme', MALFORMED, (text: string) => text],
    ['another scheme', MALFORMED, (text: string) => `Basic ${text}`],
    ['two keys', MALFORMED, (text: string) => `Bearer ${text}, Bearer ${text}`],
    ['something behind it', MALFORMED, (text: string) => `Bearer ${text}x`],
    [
      'another secret',
      UNKNOWN,
      (text: string) => `Bearer ${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
    ],
    [
      'an unknown key id',
      UNKNOWN,
      (text: string) => `Bearer ${text.replace(/_[0-9A-Za-z]{16}_/, '_0000000000000000_')}`,
    ],
    [
      'the other environment',
      'The API key belongs to the other environment.',
      (text: string) => `Bearer ${text.replace('lw_test', 'lw_live')}`,
    ],
  ])('refuses %s, and says so', async (_name, detail, disguise) => {
    const response = await send('/me', { headers: { authorization: disguise(key.text) } });
    expect((await expectProblem(response, 'invalid_api_key')).detail).toBe(detail);
  });

  test('reports a missing header', async () => {
    expect((await expectProblem(await send('/me'), 'invalid_api_key')).detail).toContain(
      'no `Authorization`',
    );
  });

  test('accepts any case of the scheme', async () => {
    expect((await send('/me', { headers: { authorization: `bEARER ${key.text}` } })).status).toBe(200);
  });

  test('refuses expired and revoked keys, with the reason for callers that have the secret, and keys of the other environment', async () => {
    const { database } = api.dependencies;
    const expired = await createTestKey(database, { expiresAt: new Date(Date.now() - 1_000) });
    const revoked = await createTestKey(database);
    await database`update api_keys set revoked_at = now() where id = ${revoked.keyId}`;
    for (const [{ text }, detail] of [
      [expired, 'The API key has expired.'],
      [revoked, 'The API key has been revoked.'],
    ] as const) {
      const known = await send('/me', { headers: { authorization: `Bearer ${text}` } });
      expect((await expectProblem(known, 'invalid_api_key')).detail).toBe(detail);
      const wrong = `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
      const guessed = await send('/me', { headers: { authorization: `Bearer ${wrong}` } });
      expect((await expectProblem(guessed, 'invalid_api_key')).detail).toBe(UNKNOWN);
    }
    const live = await createTestKey(database, { environment: 'live' });
    await expectProblem(await send('/me', { headers: live.header }), 'invalid_api_key');
  });
});

describe('a defect behind the handler', () => {
  const paths = ['/tokens', '/me', `/operations/${UUID}`, '/tokens/none'];

  /** The api with an access log that fails for these statuses. */
  async function failingFor(fails: (status: number) => boolean) {
    const logged: unknown[] = [];
    const broken = await startTestApi({
      adjust({ pipeline }) {
        pipeline.accessLog = (_exchange, status) => {
          if (fails(status)) throw new Error('password of the log');
        };
        pipeline.log = Object.assign(Object.create(pipeline.log), {
          error: ({ err }: { err: Error }, event: string) => logged.push([event, err.message]),
        });
      },
    });
    const { header } = await createTestKey(broken.dependencies.database);
    const answers = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${broken.baseUrl}${path}`, { headers: header });
        return { status: response.status, text: await response.text() };
      }),
    );
    return { answers, logged };
  }

  test('is a 500 without its text, and is logged', async () => {
    const { answers, logged } = await failingFor((status) => status < 500);
    for (const { status, text } of answers) {
      expect([status, JSON.parse(text).code]).toEqual([500, 'internal_error']);
      expect(text).not.toContain('password');
    }
    expect(logged).toEqual(paths.map(() => ['request.failed', 'password of the log']));
  });

  test('is one even where the response of the failure fails', async () => {
    const { answers, logged } = await failingFor(() => true);
    expect(answers).toEqual(paths.map(() => ({ status: 500, text: '' })));
    expect(logged.length).toBeGreaterThanOrEqual(paths.length);
  });
});
