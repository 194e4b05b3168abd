import { beforeAll, describe, expect, test } from 'bun:test';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { sendRaw } from '../support/http/raw-http.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  const RATE_LIMITS = JSON.stringify({ 'public-read-cheap': { limit: 1_000, windowSeconds: 1 } });
  api = await startTestApi({ environment: { RATE_LIMITS } });
  key = await createTestKey(api.dependencies.database);
});

const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const MINT = 'So11111111111111111111111111111111111111112';
const NOTHING_NEAR = 'No route matches this path.';

const shownPath = ({ path }: RouteDefinition) => `/api/v2${path.replace(/:(\w+)/g, '{$1}')}`;
const detailOf = async (path: string, method: string) =>
  (await expectProblem(await fetch(`${api.origin}${path}`, { method }), 'not_found')).detail;

describe('an unknown path', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    'that misspells one part of %s names it',
    async (id, operation) => {
      const parts = operation.path.split('/');
      const last = parts.findLastIndex((part) => part !== '' && !part.startsWith(':'));
      const misspelt = parts.map((part, at) => {
        if (part.startsWith(':')) return UUID;
        return at === last ? `${part}x` : part;
      });
      const { detail } = await expectProblem(
        await fetch(`${api.baseUrl}${misspelt.join('/')}`, { method: operation.method }),
        'not_found',
      );
      expect(detail).toBe(
        `${NOTHING_NEAR} The nearest is ${operation.method} ${shownPath(operation)} (${id}).`,
      );
    },
  );

  test.each([
    ['POST', `/api/v2/webhook-endpoints/${UUID}/ping`, 'pingWebhookEndpoint'],
    ['POST', `/api/v2/tokens/${MINT}/swap`, 'createSwap'],
    ['GET', `/api/v2/tokens/${MINT}/swap`, 'createSwap'],
    ['POST', `/api/v2/transaction-intents/${UUID}/submit`, 'submitTransactionIntent'],
    ['GET', '/tokens', 'listTokens'],
    ['GET', '/api/v1/tokens', 'listTokens'],
    ['GET', '/api/v2/tokens/', 'listTokens'],
    ['GET', '/api/v2/Tokens', 'listTokens'],
    ['GET', '/api/v2/tok', 'listTokens'],
    ['POST', '/api/v2/webhooks', 'createWebhookEndpoint'],
    ['GET', '/api/v2/webhooks', 'listWebhookEndpoints'],
    ['GET', '/api/v2/transaction_intents', 'listTransactionIntents'],
  ] as const)('%s %s leads to %s', async (method, path, id) => {
    expect(await detailOf(path, method)).toEndWith(` (${id}).`);
  });

  test.each([
    '/nothing',
    '/api/v2/users',
    '/api/v2/to',
    '/api/v2/',
    '/api/v2/tokens/x/y/z',
    '/api/v2/%22%3Cscript%3E%0D%0A',
    `/api/v2/${'token'.repeat(200)}`,
    `/api/v2${'/tokens'.repeat(100)}`,
  ])('%s is near to none, and nothing of it stands in the detail', async (path) => {
    expect(await detailOf(path, 'GET')).toBe(NOTHING_NEAR);
  });

  test('in another form of a known path names that path', async () => {
    const { body } = await sendRaw(
      api.origin,
      'GET /api/v2/./tokens HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(body).toContain('The nearest is GET /api/v2/tokens (listTokens).');
  });
});

test('405 names the operations of the path, and lists its methods in Allow', async () => {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const response = await fetch(`${api.baseUrl}${path.replace(/:\w+/g, UUID)}`, { method: 'PUT' });
    const methods = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    expect(response.headers.get('allow')).toBe([...methods, 'OPTIONS'].join(', '));
    const { detail } = await expectProblem(response, 'method_not_allowed');
    for (const { method, id } of group) expect(detail).toContain(`${method} (${id})`);
  }
});

test('every 428 says which read has the version, and that read has it', async () => {
  const versioned = operations.filter((operation) => operation.versioned === true);
  expect(versioned.length).toBeGreaterThan(3);
  for (const operation of versioned) {
    const { path, init, headers } = sampleRequest(operation);
    const { 'if-match': _, ...others } = headers;
    const response = await fetch(`${api.baseUrl}${path}`, { ...init, headers: { ...others, ...key.header } });
    const { detail = '' } = await expectProblem(response, 'precondition_required');
    const [, method, shown] = /the ETag of (GET) (\S+), /.exec(detail) ?? [];
    const read = operations.find((one) => one.method === method && shownPath(one) === `/api/v2${shown}`);
    expect(read?.responseHeaders).toContain('ETag');
    expect(Object.keys(read?.response.properties ?? {})).toContain('version');
  }
});
