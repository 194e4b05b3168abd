import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { COMMITTED_INTERNAL_DOCUMENT, committedInternalDocument } from '../../scripts/committed-document.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { internalDefinitions, internalRoutes } from '../../src/internal/routes.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { expectRate } from '../support/api/rate-headers.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { readReadiness } from '../support/http/readiness.ts';
import {
  createTestServiceKey,
  post,
  startTestInternalApi,
  type TestInternalApi,
  type TestServiceKey,
} from '../support/internal/internal-api.ts';

let api: TestInternalApi;
let key: TestServiceKey;

beforeAll(async () => {
  api = await startTestInternalApi();
  key = await createTestServiceKey(api.owner);
});

function send(operation: RouteDefinition, headers: Record<string, string>): Promise<Response> {
  const { path, init, headers: own } = sampleRequest(operation);
  return fetch(`${api.baseUrl}${path}`, { ...init, headers: { ...own, ...headers } });
}

const operations = internalDefinitions.map((operation) => [operation.id, operation] as const);

describe('every internal operation', () => {
  test('has one handler, a group, and an id of its own', () => {
    const served = internalRoutes(api.dependencies).map(({ definition: operation }) => operation);
    expect(served).toEqual([...internalDefinitions]);
    expect(new Set(internalDefinitions.map(({ id }) => id)).size).toBe(internalDefinitions.length);
    for (const { auth, ratePolicy, method } of internalDefinitions) {
      expect(auth).toHaveLength(1);
      expect([ratePolicy, method]).toEqual(['service-key', 'POST']);
    }
  });

  test.each(operations)(
    '%s takes a service key of its group, and no other credential',
    async (_id, operation) => {
      await expectProblem(await send(operation, {}), 'invalid_api_key');
      const publicKey = await createTestKey(api.owner);
      await expectProblem(await send(operation, publicKey.header), 'invalid_api_key');
      const others = (['intents', 'tokens', 'wallets', 'rounds', 'presales', 'operations'] as const).filter(
        (group) => !(operation.auth as readonly string[]).includes(group),
      );
      const foreign = await createTestServiceKey(api.owner, { groups: others });
      const { context } = await expectProblem(await send(operation, foreign.header), 'insufficient_scope');
      expect(context?.missingScopes).toEqual([...operation.auth]);
      const response = await send(operation, key.header);
      expectRate(response, 'service-key');
      expect([401, 403, 500]).not.toContain(response.status);
    },
  );

  test.each(operations)('%s needs an Idempotency-Key and refuses unknown fields', async (_id, operation) => {
    await expectProblem(
      await send(operation, { ...key.header, 'idempotency-key': '' }),
      'idempotency_key_invalid',
    );
    const { path, init, headers } = sampleRequest(operation);
    const body = JSON.stringify([]);
    const all = { ...headers, ...key.header, 'content-type': 'application/json' };
    await expectProblem(
      await fetch(`${api.baseUrl}${path}`, { ...init, headers: all, body }),
      'validation_failed',
    );
  });
});

describe('service keys', () => {
  test('are refused when revoked, expired, of another secret or unknown', async () => {
    const expired = await createTestServiceKey(api.owner, { expiresAt: new Date(Date.now() - 1_000) });
    await expectProblem(await post(api, expired, '/wallets', {}), 'invalid_api_key');
    const revoked = await createTestServiceKey(api.owner);
    await api.owner`update service_keys set revoked_at = now() where id = ${revoked.keyId}`;
    await expectProblem(await post(api, revoked, '/wallets', {}), 'invalid_api_key');
    const other = await createTestServiceKey(api.owner);
    const [, id] = key.text.split('_');
    const forged = { ...key, header: { authorization: `Bearer lws_${id}_${other.text.split('_')[2]}` } };
    await expectProblem(await post(api, forged, '/wallets', {}), 'invalid_api_key');
  });

  test('are refused by the public API, and public keys are refused here', async () => {
    const publicApi = await startTestApi({ database: api.database });
    const response = await fetch(`${publicApi.baseUrl}/me`, { headers: key.header });
    await expectProblem(response, 'invalid_api_key');
    expect((await fetch(`${publicApi.origin}/internal/v1/wallets`, { method: 'POST' })).status).toBe(404);
  });

  test('count against a limit of their own', async () => {
    const limited = await startTestInternalApi({
      environment: { RATE_LIMITS: '{"service-key":{"limit":1,"windowSeconds":600}}' },
    });
    const own = await createTestServiceKey(limited.owner);
    const wallet = { address: 'So11111111111111111111111111111111111111112' };
    expect((await post(limited, own, '/wallets', wallet)).status).toBe(200);
    await expectProblem(await post(limited, own, '/wallets', wallet), 'rate_limit_exceeded');
    const other = await createTestServiceKey(limited.owner);
    expect((await post(limited, other, '/wallets', wallet)).status).toBe(200);
  });

  test('keep their idempotency keys apart', async () => {
    const other = await createTestServiceKey(api.owner);
    const path = '/wallets/batches';
    const wallets = [{ address: 'So11111111111111111111111111111111111111112', username: 'first' }];
    const idempotencyKey = crypto.randomUUID();
    const first = await post(api, key, path, { wallets }, idempotencyKey);
    expect(first.status).toBe(200);
    const replayed = await post(api, key, path, { wallets }, idempotencyKey);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(await replayed.json()).toEqual(await first.json());
    await expectProblem(
      await post(api, key, path, { wallets: [{ address: wallets[0]?.address }] }, idempotencyKey),
      'idempotency_key_reused',
    );
    const ofOther = await post(api, other, path, { wallets }, idempotencyKey);
    expect(ofOther.headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('beside the operations', () => {
  test('unknown paths and methods are problems', async () => {
    await expectProblem(await fetch(`${api.baseUrl}/nothing`), 'not_found');
    await expectProblem(await fetch(`${api.origin}/api/v2/tokens`), 'not_found');
    const response = await fetch(`${api.baseUrl}/wallets`);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    await expectProblem(response, 'method_not_allowed');
  });

  test('health and readiness are served, no metrics, and nothing for subscribers', async () => {
    expect((await fetch(`${api.origin}/healthz`)).status).toBe(200);
    expect((await readReadiness(api.origin)).code).toBe(200);
    const metrics = await api.dependencies.operational.metrics.read();
    expect(metrics).toContain('operation="upsertWallet"');
    expect((await fetch(`${api.origin}/metrics`)).status).toBe(404);
    expect((await fetch(`${api.origin}/.well-known/webhook-public-keys`)).status).toBe(404);
  });

  test('the document is valid, served, and the committed one is current', async () => {
    const served = (await (await fetch(`${api.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    expect(await new Validator().validate(structuredClone(served))).toMatchObject({ valid: true });
    const paths = internalDefinitions.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
    expect(Object.keys(served.paths).sort()).toEqual([...new Set(paths)].sort());
    const committed = readFileSync(COMMITTED_INTERNAL_DOCUMENT, 'utf8');
    expect(committed === committedInternalDocument(), 'run `npm run openapi:write`').toBe(true);
  });
});
