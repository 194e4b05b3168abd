import { beforeAll, describe, expect, test } from 'bun:test';
import { contractDefinitions } from '../../src/api/routes.ts';
import { isPaginated } from '../../src/http/problems/possible-problems.ts';
import type { Route, RouteDefinition } from '../../src/http/route.ts';
import { defaultRateLimits, ratePolicies } from '../../src/shared/rate-policies.ts';
import { scopes } from '../../src/shared/scopes.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { expectNoRate, expectRate, rateHeaderNames } from '../support/api/rate-headers.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { addedOperations, idempotentOperations, specOperations } from './spec-operations.ts';

const everyId = specOperations.map(({ id }) => id);
const protectedIds = specOperations.filter(({ auth }) => auth !== 'anonymous').map(({ id }) => id);
const scopedIds = specOperations
  .filter(({ auth }) => auth !== 'anonymous' && auth !== 'any-key')
  .map(({ id }) => id);
const isStream = (id: string) => id === 'openStream';
const anonymousIds = specOperations
  .filter(({ auth, id }) => auth === 'anonymous' && !isStream(id))
  .map(({ id }) => id);
const mutationIds = idempotentOperations;

/** Handlers that only respond: these tests cover everything around them. */
function answerWith(reply: () => never | { body: unknown }) {
  return (routes: readonly Route[]) =>
    routes.map(
      (route) =>
        ({
          ...route,
          prepare: undefined,
          fastPath: undefined,
          handle: async () => reply(),
          open: async () => {
            const { body } = reply();
            return { toEvents: () => new Response(JSON.stringify(body)).body };
          },
        }) as unknown as Route,
    );
}

let operations: Map<string, RouteDefinition>;
let plain: TestApi;
let failing: TestApi;
let disconnected: TestApi;
let strict: TestApi;
let limited: TestApi;
let unlimited: TestApi;
const keys = new Map<TestApi, TestKey>();
const plainLimits = { ...defaultRateLimits, 'webhook-admin': { limit: 1_000, windowSeconds: 60 } };
const oneADay = { limit: 1, windowSeconds: 86_400 };

beforeAll(async () => {
  const tight = Object.fromEntries(Object.keys(ratePolicies).map((name) => [name, oneADay]));
  const collect = (routes: readonly Route[]) => {
    operations = new Map(routes.map(({ definition: operation }) => [operation.id, operation]));
    return answerWith(() => ({ body: { answered: true } }))(routes);
  };
  const broken = () => {
    throw new Error('a secret of the inside');
  };
  const lost = () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { code: 'ECONNREFUSED' });
  };
  // Every change is sent several times, which is more than the policy that most of them share admits in a minute.
  const RATE_LIMITS = JSON.stringify({ 'webhook-admin': plainLimits['webhook-admin'] });
  plain = await startTestApi({ environment: { RATE_LIMITS }, adjustRoutes: collect });
  strict = await startTestApi({
    environment: { RATE_LIMITS, STRICT_QUERY: 'true' },
    adjustRoutes: answerWith(() => ({ body: { answered: true } })),
  });
  failing = await startTestApi({ adjustRoutes: answerWith(broken) });
  disconnected = await startTestApi({ adjustRoutes: answerWith(lost) });
  limited = await startTestApi({ environment: { RATE_LIMITS: JSON.stringify(tight) } });
  unlimited = await startTestApi({ environment: { REDIS_URL: 'redis://127.0.0.1:9' } });
  for (const api of [plain, strict, failing, disconnected, limited, unlimited]) {
    keys.set(api, await createTestKey(api.dependencies.database));
  }
});

interface SendOptions {
  headers?: Record<string, string>;
  init?: RequestInit;
  key?: TestKey | null;
  query?: string;
}

function send(api: TestApi, id: string, options: SendOptions = {}): Promise<Response> {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`operation ${id} is not registered`);
  const { path, init, headers } = sampleRequest(operation);
  const key = options.key === undefined ? keys.get(api) : options.key;
  const credential = operation.auth === 'anonymous' || key === null ? {} : key?.header;
  const all = { ...headers, ...credential, ...options.headers };
  return fetch(`${api.baseUrl}${path}${options.query ?? ''}`, { ...init, ...options.init, headers: all });
}

test.each(mutationIds)(
  '%s is replayed to another key of the account where its handler sees the same of both',
  async (id) => {
    const { database } = plain.dependencies;
    const owner = keys.get(plain) as TestKey;
    const part = operations.get(id)?.dependsOnKey;
    const needed = operations.get(id)?.auth ?? [];
    const own = { accountId: owner.accountId };
    const fewer =
      needed === 'any-key' ? ['webhooks:write' as const] : scopes.filter((one) => needed.includes(one));
    const siblings: [what: string, key: TestKey, isSame: boolean][] = [
      ['an equal key', await createTestKey(database, own), part !== 'key'],
      [
        'a key of another wallet',
        await createTestKey(database, {
          ...own,
          walletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
        }),
        part !== 'key' && part !== 'wallet',
      ],
      [
        'a key with fewer scopes',
        await createTestKey(database, { ...own, scopes: fewer }),
        part === undefined || part === 'wallet',
      ],
    ];
    const headers = { 'idempotency-key': crypto.randomUUID() };
    expect((await send(plain, id, { headers })).status).toBe(operations.get(id)?.successStatus ?? 0);
    for (const [what, key, isSame] of siblings) {
      const response = await send(plain, id, { headers, key });
      expect({ what, status: response.status }).toEqual({
        what,
        status: isSame ? (operations.get(id)?.successStatus ?? 0) : 409,
      });
    }
  },
);

describe('every operation', () => {
  test.each(everyId)('%s answers its success status with every header', async (id) => {
    const response = await send(plain, id);
    expect(response.status).toBe(operations.get(id)?.successStatus ?? 0);
    expect(response.headers.get('content-type')).toBe(
      isStream(id) ? 'text/event-stream' : 'application/json; charset=utf-8',
    );
    const { ratePolicy } = operations.get(id) as RouteDefinition;
    expectRate(response, ratePolicy, plainLimits[ratePolicy]);
  });

  test.each(everyId)(
    '%s names the nearest of an unknown query parameter, which it ignores or refuses',
    async (id) => {
      const operation = operations.get(id) as RouteDefinition;
      const known = Object.keys(operation.query?.properties ?? {});
      const misspelt = `${known[0] ?? 'surprise'}x`;
      const { path } = sampleRequest(operation);
      const query = `${path.includes('?') ? '&' : '?'}${misspelt}=1`;
      const hint = known.length === 0 ? '' : `; did you mean ${known[0]}?`;
      const message = `is not a known parameter${hint}`;
      const refused = [{ path: `/query/${misspelt}`, code: 'unknown_field', message }];
      const response = await send(plain, id, { query });
      if (addedOperations.includes(id)) {
        expect(response.headers.get('launchwire-ignored')).toBeNull();
        expect((await expectProblem(response, 'validation_failed')).errors).toEqual(refused);
        return;
      }
      expect(response.status).toBe(operation.successStatus);
      const nearest = known.length === 0 ? '' : `; nearest="${known[0]}"`;
      expect(response.headers.get('launchwire-ignored')).toBe(`${misspelt}${nearest}`);
      const strictly = await send(strict, id, { query });
      expect(strictly.headers.get('launchwire-ignored')).toBeNull();
      expect((await expectProblem(strictly, 'validation_failed')).errors).toEqual(refused);
      expect((await send(strict, id)).status).toBe(operation.successStatus);
    },
  );

  test.each(everyId)('%s hides internal errors', async (id) => {
    const body = await expectProblem(await send(failing, id), 'internal_error');
    expect(JSON.stringify(body)).not.toContain('secret of the inside');
  });

  test.each(everyId)('%s answers its own 503 when the database is lost', async (id) => {
    const response = await send(disconnected, id);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const body = await expectProblem(
      response,
      operations.get(id)?.unavailable ?? 'api_dependency_unavailable',
    );
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  test.each(everyId)('%s is limited under its policy and says when to come back', async (id) => {
    // Operations share the bucket of their policy: the first request here may already be the second of the policy.
    const first = await send(limited, id);
    await first.body?.cancel();
    const response = await send(limited, id);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expectRate(response, operations.get(id)?.ratePolicy ?? '', oneADay);
    await expectProblem(response, 'rate_limit_exceeded');
  });

  test.each(mutationIds)('%s is limited before its headers and body are looked at', async (id) => {
    const first = await send(limited, id);
    await first.body?.cancel();
    const init = { body: '{bad' };
    const response = await send(limited, id, {
      init,
      headers: { 'content-type': 'text/plain', 'idempotency-key': 'x' },
    });
    await expectProblem(response, 'rate_limit_exceeded');
  });

  test.each(everyId)('%s fails closed without its limiter', async (id) => {
    const response = await send(unlimited, id);
    expectNoRate(response);
    await expectProblem(response, 'rate_limit_unavailable');
  });
});

describe('protected operations', () => {
  test.each(protectedIds)('%s refuses an anonymous caller before anything else', async (id) => {
    const init = operations.get(id)?.method === 'GET' ? {} : { body: '{bad' };
    const response = await send(plain, id, { key: null, init, headers: { 'content-type': 'text/plain' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    await expectProblem(response, 'invalid_api_key');
  });

  test.each(scopedIds)('%s refuses a key with every scope but its own', async (id) => {
    const needed = operations.get(id)?.auth ?? [];
    const others = scopes.filter((scope) => !needed.includes(scope));
    const key = await createTestKey(plain.dependencies.database, { scopes: others });
    await expectProblem(await send(plain, id, { key }), 'insufficient_scope');
  });

  test.each(protectedIds)('%s forbids caching', async (id) => {
    const response = await send(plain, id);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('Authorization');
  });
});

describe('anonymous operations', () => {
  test.each(anonymousIds)('%s is cacheable, conditional, and open to browsers', async (id) => {
    const response = await send(plain, id);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('cache-control')).toBe(
      `public, max-age=${operations.get(id)?.maxAgeSeconds}`,
    );
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(exposed).toEqual(expect.arrayContaining(rateHeaderNames));
    const again = await send(plain, id, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expectRate(again, operations.get(id)?.ratePolicy ?? '');
  });
});

describe('operations with parameters', () => {
  const withPath = specOperations.filter(({ path }) => path.includes('{')).map(({ id }) => id);
  test.each(withPath)('%s names the malformed path parameter', async (id) => {
    const operation = operations.get(id);
    const key = keys.get(plain);
    const path = operation?.path.replace(/:\w+/g, '0OIl') ?? '';
    const { init, headers } = sampleRequest(operation as RouteDefinition);
    const response = await fetch(`${plain.baseUrl}${path}`, {
      ...init,
      headers: { ...headers, ...key?.header },
    });
    const body = await expectProblem(response, 'validation_failed');
    expect(body.errors?.[0]).toMatchObject({ code: 'invalid_format' });
    expect(body.errors?.[0]?.path).toStartWith('/path/');
  });

  test('every list refuses limits outside 1 to 100', async () => {
    for (const operation of [...operations.values()].filter(isPaginated)) {
      for (const limit of ['0', '101', '-1', 'x', '1.5', '']) {
        const body = await expectProblem(
          await send(plain, operation.id, { query: `?limit=${limit}` }),
          'validation_failed',
        );
        expect(body.errors?.[0]?.path).toBe('/query/limit');
      }
    }
  });
});

describe('computations', () => {
  const computations = contractDefinitions
    .filter(({ body, id }) => body !== undefined && !mutationIds.includes(id))
    .map(({ id }) => id);
  test.each(computations)('%s checks content type, JSON, fields and size of its body', async (id) => {
    const json = { 'content-type': 'application/json' };
    const attempt = (body: string, headers = json) => send(plain, id, { init: { body }, headers });
    await expectProblem(await attempt('{}', { 'content-type': 'text/plain' }), 'unsupported_content_type');
    await expectProblem(await attempt('{bad'), 'malformed_json');
    const unknown = await expectProblem(await attempt('{"surprise":1}'), 'validation_failed');
    expect(unknown.errors).toContainEqual(
      expect.objectContaining({ path: '/body/surprise', code: 'unknown_field' }),
    );
    await expectProblem(await attempt('x'.repeat(1_048_577)), 'request_body_too_large');
  });
});

describe('mutations', () => {
  test.each(mutationIds)(
    '%s checks content type, key, precondition, JSON and size, in this order',
    async (id) => {
      const operation = operations.get(id);
      const hasBody = operation?.body !== undefined;
      const bad = { body: '{bad' };
      const json = { 'content-type': 'application/json' };
      const text = { 'content-type': 'text/plain', 'idempotency-key': '' };
      await expectProblem(await send(plain, id, { init: bad, headers: text }), 'unsupported_content_type');
      const keyless = await send(plain, id, { init: bad, headers: { ...json, 'idempotency-key': 'short' } });
      await expectProblem(keyless, 'idempotency_key_invalid');
      if (operation?.versioned === true) {
        const { path, headers } = sampleRequest(operation);
        const { 'if-match': _, ...unmatched } = headers;
        const init = {
          method: operation.method,
          ...bad,
          headers: { ...unmatched, ...json, ...keys.get(plain)?.header },
        };
        await expectProblem(await fetch(`${plain.baseUrl}${path}`, init), 'precondition_required');
        const weak = await send(plain, id, { init: bad, headers: { ...json, 'if-match': 'W/"1"' } });
        await expectProblem(weak, 'precondition_invalid');
      }
      await expectProblem(await send(plain, id, { init: bad, headers: json }), 'malformed_json');
      const unknown = await send(plain, id, { init: { body: '{"surprise":1}' }, headers: json });
      const body = await expectProblem(unknown, 'validation_failed');
      expect(body.errors).toContainEqual(
        expect.objectContaining({ path: '/body/surprise', code: 'unknown_field' }),
      );
      const large = await send(plain, id, { init: { body: 'x'.repeat(1_048_577) }, headers: json });
      await expectProblem(large, 'request_body_too_large');
      if (!hasBody || operation?.bodyOptional === true) {
        const { method } = operation ?? {};
        const { path } = sampleRequest(operation as RouteDefinition);
        const headers = {
          ...keys.get(plain)?.header,
          'idempotency-key': crypto.randomUUID(),
          'if-match': '"1"',
        };
        const init = method === undefined ? { headers } : { method, headers };
        expect((await fetch(`${plain.baseUrl}${path}`, init)).status).toBe(operation?.successStatus ?? 0);
      }
    },
  );

  test.each(mutationIds)('%s replays its answer, and refuses the key for anything else', async (id) => {
    const idempotencyKey = crypto.randomUUID();
    const attempt = (init: RequestInit = {}) =>
      send(plain, id, {
        headers: {
          'idempotency-key': idempotencyKey,
          ...(init.body ? { 'content-type': 'application/json' } : {}),
        },
        init,
      });
    const first = await attempt();
    const replay = await attempt();
    expect(replay.status).toBe(first.status);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await replay.text()).toBe(await first.text());
    const { init } = sampleRequest(operations.get(id) as RouteDefinition);
    const other = await attempt({ body: `${typeof init.body === 'string' ? init.body : '{}'} ` });
    await expectProblem(other, 'idempotency_key_reused');
  });

  test.each(mutationIds)('%s reports to a second attempt that the first is running', async (id) => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow = await startTestApi({
      database: plain.database,
      adjustRoutes: (routes) =>
        routes.map((route) => ({
          ...route,
          prepare: undefined,
          fastPath: undefined,
          handle: async () => {
            started.resolve();
            await finish.promise;
            return { body: {} };
          },
        })) as unknown as Route[],
    });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const key = keys.get(plain);
    const first = send(slow, id, { headers, ...(key && { key }) });
    await started.promise;
    const second = await send(plain, id, { headers });
    expect(second.headers.get('retry-after')).toBe('1');
    await expectProblem(second, 'idempotency_request_in_progress');
    finish.resolve();
    expect((await first).status).toBe(operations.get(id)?.successStatus ?? 0);
    await slow.stop();
  });
});
