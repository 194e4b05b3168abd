import { beforeAll, describe, expect, test } from 'bun:test';
import { createHash, createPublicKey } from 'node:crypto';
import { startTestApi, type TestApi } from '../support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

describe('outside the contract', () => {
  test('/healthz says that the process is alive, whatever its dependencies do', async () => {
    const response = await fetch(`${api.origin}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('/readyz reports each dependency: only Postgres is needed to serve', async () => {
    const response = await fetch(`${api.origin}/readyz`);
    const { status, dependencies } = (await response.json()) as {
      status: string;
      dependencies: { name: string; ready: boolean }[];
    };
    expect(response.status).toBe(200);
    expect(status).toBe('ready');
    expect(dependencies.map(({ name }) => name).sort()).toEqual([
      'chain',
      'nats',
      'postgres',
      'requests',
      'trade-source',
    ]);
    expect(dependencies.find(({ name }) => name === 'chain')?.ready).toBe(false);
  });

  test('/readyz is 503 without Postgres, and reveals nothing of its address', async () => {
    const lost = await startTestApi({
      environment: { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:9/nothing' },
    });
    const response = await fetch(`${lost.origin}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('hunter2');
  });

  test('/metrics counts requests by operation, status and code', async () => {
    await fetch(`${api.baseUrl}/tokens`);
    await fetch(`${api.baseUrl}/me`);
    const response = await fetch(`${api.origin}/metrics`);
    expect(response.headers.get('content-type')).toStartWith('text/plain');
    const text = await response.text();
    expect(text).toContain('launchwire_http_requests_total{operation="listTokens",status="200",code=""} 1');
    expect(text).toContain(
      'launchwire_http_requests_total{operation="getApiIdentity",status="401",code="invalid_api_key"} 1',
    );
    expect(text).toContain('launchwire_http_request_duration_seconds_count{operation="listTokens"} 1');
  });

  test('/.well-known/webhook-public-keys publishes the key that signs webhooks', async () => {
    const { keys } = (await (await fetch(`${api.origin}/.well-known/webhook-public-keys`)).json()) as {
      keys: { algorithm: string; key: string }[];
    };
    expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ed25519']);
    const raw = Buffer.from(keys[0]?.key.replace('whpk_', '') ?? '', 'base64');
    expect(raw.byteLength).toBe(32);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
    expect(createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
  });

  test('/.well-known/jwks.json publishes the same keys as a JSON Web Key Set, with thumbprints as their ids', async () => {
    const response = await fetch(`${api.origin}/.well-known/jwks.json`);
    expect(response.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const { keys } = (await response.json()) as { keys: Record<string, string>[] };
    const raw = (key: Record<string, string>) =>
      `whpk_${Buffer.from(key.x ?? '', 'base64url').toString('base64')}`;
    expect(keys.map(raw)).toEqual([...api.dependencies.operational.webhookPublicKeys]);
    const { kid, use, alg, ...key } = keys[0] ?? {};
    expect({ use, alg }).toEqual({ use: 'sig', alg: 'EdDSA' });
    expect(createPublicKey({ key, format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
    const digest = createHash('sha256')
      .update(`{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`)
      .digest('base64url');
    expect(kid).toBe(digest);
  });
});
