import { beforeAll, expect, test } from 'bun:test';
import { processEnvironment } from '../../sandbox/processes/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { urlPolicyOf } from '../../src/shared/webhooks/url-policy.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { processSettings } from '../support/sandbox/process-settings.ts';

const environmentOf = (given: Record<string, string> = {}) => processEnvironment(given, processSettings);
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  const {
    WEBHOOK_ALLOWED_CIDRS = '',
    WEBHOOK_ONLY_ALLOWED_CIDRS = '',
    WEBHOOK_ALLOW_HTTP = '',
  } = environmentOf();
  api = await startTestApi({
    environment: { WEBHOOK_ALLOWED_CIDRS, WEBHOOK_ONLY_ALLOWED_CIDRS, WEBHOOK_ALLOW_HTTP },
  });
  key = await createTestKey(api.dependencies.database);
});

const create = (url: string) =>
  fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ url }),
  });

test('a sandbox sends to its own machine, by any of its names and addresses', async () => {
  for (const url of ['http://localhost:4100/hook', 'http://127.0.0.1:4100/hook', 'http://[::1]:4100/hook']) {
    const response = await create(url);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ url });
  }
});

test('a sandbox refuses addresses outside the machine, and names those that it accepts', async () => {
  for (const url of ['https://93.184.216.34/hook', 'https://no-such-name.invalid/hook']) {
    const { context, detail } = await expectProblem(await create(url), 'webhook_url_disallowed');
    expect(context).toEqual({ reason: 'address_not_admitted' });
    expect(detail).toContain('http://127.0.0.1:4100');
  }
});

test('only a setting of its user opens it to more ranges or to the internet', () => {
  const policyOf = (given: Record<string, string>) => urlPolicyOf(loadConfig({ ...environmentOf(given) }));
  expect(policyOf({})).toEqual({
    allowHttp: true,
    allowedCidrs: ['127.0.0.0/8', '::1/128'],
    onlyAllowedCidrs: true,
  });
  expect(policyOf({ WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8' })).toMatchObject({
    allowedCidrs: ['10.0.0.0/8', '127.0.0.0/8', '::1/128'],
    onlyAllowedCidrs: true,
  });
  expect(policyOf({ WEBHOOK_ONLY_ALLOWED_CIDRS: 'false' })).toMatchObject({ onlyAllowedCidrs: false });
  expect(() => loadConfig({ ...environmentOf(), WEBHOOK_ALLOWED_CIDRS: '' })).toThrow(
    'WEBHOOK_ONLY_ALLOWED_CIDRS needs WEBHOOK_ALLOWED_CIDRS',
  );
});
