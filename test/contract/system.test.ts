import { beforeAll, describe, expect, test } from 'bun:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { readReadiness } from '../support/http/readiness.ts';

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
    const { code, status, dependencies } = await readReadiness(api.origin);
    expect(code).toBe(200);
    expect(status).toBe('ready');
    expect(dependencies.map(({ name }) => name).sort()).toEqual([
      'chain',
      'clock',
      'nats',
      'postgres',
      'requests',
      'secret_key',
      'trade-source',
      'worker_keys',
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

  test('metrics count requests by operation, status and code', async () => {
    await fetch(`${api.baseUrl}/tokens`);
    await fetch(`${api.baseUrl}/me`);
    const text = await api.metrics();
    expect(text).toContain('launchwire_http_requests_total{operation="listTokens",status="200",code=""} 1');
    expect(text).toContain(
      'launchwire_http_requests_total{operation="getApiIdentity",status="401",code="invalid_api_key"} 1',
    );
    expect(text).toContain('launchwire_http_request_duration_seconds_count{operation="listTokens"} 1');
  });
});
