import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startRedis } from '../../sandbox/services/redis.ts';
import { contractDefinitions } from '../../src/api/routes.ts';
import { createRedisRateLimiter } from '../../src/http/limits/redis-rate-limiter.ts';
import { requestDeadlines } from '../../src/http/request-deadlines.ts';
import type { Route } from '../../src/http/route.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { expectRate } from '../support/api/rate-headers.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';

const log = createLogger('test', 'silent');
const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
/** An address that no other test uses: limits in Redis outlive a test. */
const newClient = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;

const MINT = 'So11111111111111111111111111111111111111112';

/** An api that counts in the memory of its process or in Redis. On a starved machine Redis may miss the deadline of the service. */
async function startCountingIn(store: string, environment: Record<string, string>): Promise<TestApi> {
  const redisUrl = store === 'redis' ? await sharedRedisUrl() : undefined;
  const api = await startTestApi({
    environment: { ...environment, TRUSTED_PROXY_HOPS: '1', ...(redisUrl && { REDIS_URL: redisUrl }) },
    adjust({ pipeline }) {
      if (redisUrl === undefined) return;
      const limiter = createRedisRateLimiter({ redisUrl }, log, 60_000);
      atEnd(async () => limiter.close());
      pipeline.limiter = limiter;
    },
  });
  await eventually('it is ready', async () => (await fetch(`${api.origin}/readyz`)).ok);
  return api;
}

describe('requests that no route matched', () => {
  const environment = { RATE_LIMITS: '{"public-read-cheap":{"limit":3,"windowSeconds":3600}}' };

  test.each(['memory', 'redis'])('count against a limit of their client kept in %s', async (store) => {
    const api = await startCountingIn(store, environment);
    const headers = { 'x-forwarded-for': newClient() };
    const send = (method: string, path: string) => fetch(`${api.baseUrl}${path}`, { method, headers });
    const unknown = await send('GET', '/nothing');
    expectRate(unknown, 'public-read-cheap', { limit: 3, windowSeconds: 3_600 });
    expect(unknown.headers.get('x-ratelimit-remaining')).toBe('2');
    await expectProblem(unknown, 'not_found');
    const wrong = await send('PUT', '/tokens');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    await expectProblem(wrong, 'method_not_allowed');
    const options = await send('OPTIONS', '/tokens');
    expect(options.status).toBe(204);
    expect(options.headers.get('x-ratelimit-remaining')).toBe('0');
    expectRate(options, 'public-read-cheap');
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/tokens'],
      ['OPTIONS', '/tokens'],
    ] as const) {
      const refused = await send(method, path);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expectRate(refused, 'public-read-cheap');
      await expectProblem(refused, 'rate_limit_exceeded');
    }
  });
});

describe('requests that declare a body beyond the limit', () => {
  const environment = { RATE_LIMITS: '{"public-read-cheap":{"limit":2,"windowSeconds":3600}}' };

  test.each(['memory', 'redis'])('draw on the budget of their client kept in %s', async (store) => {
    const api = await startCountingIn(store, environment);
    const client = newClient();
    const { header } = await createTestKey(api.dependencies.database);
    const declare = (request: string, ...headers: string[]) =>
      sendRaw(
        api.origin,
        [
          `${request} HTTP/1.1`,
          'Host: localhost',
          `X-Forwarded-For: ${client}`,
          'Content-Length: 1048577',
          ...headers,
          '',
          '',
        ].join('\r\n'),
      );
    const authorization = `Authorization: ${header.authorization}`;
    const refused = [
      await declare('POST /api/v2/webhook-endpoints', authorization),
      await declare('GET /api/v2/tokens'),
    ];
    for (const [at, response] of refused.entries()) {
      expect(response.status).toBe(413);
      expectRate(response, 'public-read-cheap');
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(1 - at));
    }
    for (const request of ['POST /api/v2/webhook-endpoints', 'GET /api/v2/me', 'GET /api/v2/stream']) {
      const { status, headers } = await declare(request, authorization);
      expect([request, status]).toEqual([request, 429]);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });
});

describe('a handler that never answers', () => {
  const never = () => new Promise<never>(() => {});
  const stuck = (route: Route): Route =>
    route.kind === 'mutation'
      ? ({ ...route, prepare: undefined, fastPath: undefined, handle: never } as unknown as Route)
      : ({ ...route, handle: never } as Route);

  test('ends in the 503 of its operation at the deadline, for reads and changes', async () => {
    const api = await startTestApi({
      adjust: ({ pipeline }) => {
        pipeline.deadlines = requestDeadlines(log, 100);
      },
      adjustRoutes: (routes) => routes.map(stuck),
    });
    const { header } = await createTestKey(api.dependencies.database);
    const send = (path: string, init: RequestInit) => fetch(`${api.baseUrl}${path}`, init);
    const reads = contractDefinitions.filter(
      ({ method, query, isStream }) =>
        method === 'GET' && isStream !== true && (query?.required ?? []).length === 0,
    );
    const answered = await Promise.all(
      reads.map(async ({ path, unavailable = 'api_dependency_unavailable' }) => {
        const response = await send(path.replace(/:(?:mint|address)/g, MINT).replace(/:\w+/g, UUID), {
          headers: header,
        });
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        await expectProblem(response, unavailable);
        return unavailable;
      }),
    );
    expect(answered).toContain('api_dependency_unavailable');
    const change = await send('/webhook-endpoints', {
      method: 'POST',
      headers: { ...header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: '{"url":"https://hooks.example/a"}',
    });
    const { detail } = await expectProblem(change, 'api_dependency_unavailable');
    expect(detail).toContain('same Idempotency-Key');
  });
});

describe('paths outside the contract', () => {
  test('probe the dependencies of /readyz once, however many requests come', async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      return { ready: true };
    };
    const api = await startTestApi({
      adjust: ({ operational }) => {
        operational.readiness = [{ name: 'counted', required: true, check }];
      },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${api.origin}/readyz`)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(asked).toBeLessThan(5);
  });

  test('/readyz says that the api is not ready while the server of its rate limits is away', async () => {
    const dir = join(createTempDir('redis'), 'data');
    const redis = await startRedis({ dir });
    atEnd(() => redis.stop());
    const api = await startTestApi({ environment: { REDIS_URL: redis.url } });
    const ready = async (status: number) => {
      const response = await fetch(`${api.origin}/readyz`);
      const { dependencies } = (await response.json()) as {
        dependencies: { name: string; ready: boolean }[];
      };
      const shared = dependencies.find(({ name }) => name === 'redis');
      return response.status === status && shared?.ready === (status === 200);
    };
    await eventually('it is ready', () => ready(200));
    await redis.kill();
    await eventually('it is not ready', () => ready(503));
  });

  test('log their failures without showing them', async () => {
    const logged: unknown[] = [];
    const api = await startTestApi({
      adjust: (dependencies) => {
        const fail = () => {
          throw new Error('password of the store');
        };
        dependencies.operational.readiness = [{ name: 'broken', required: true, check: async () => fail() }];
        Object.assign(dependencies, { results: { ...dependencies.results, clock: { now: fail } } });
        const { log } = dependencies.pipeline;
        dependencies.pipeline.log = Object.assign(Object.create(log), {
          error: (facts: { path: string; err: Error }) => logged.push([facts.path, facts.err.message]),
        });
      },
    });
    const paths = ['/readyz', `/operation-results/${UUID}?expires=9999999999&signature=x`];
    for (const path of paths) {
      const response = await fetch(`${api.origin}${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 500]);
      expect(text).not.toContain('password');
      expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' });
    }
    expect(logged).toEqual(paths.map((path) => [path.split('?')[0], 'password of the store']));
    await expectProblem(await fetch(`${api.origin}/nothing`), 'not_found');
    expect(logged.length).toBe(paths.length);
  });

  test('show no metrics on the public port, whoever asks', async () => {
    const api = await startTestApi();
    await expectProblem(await fetch(`${api.origin}/metrics`), 'not_found');
    expect(await api.metrics()).toContain('launchwire_http_requests_total');
  });
});
