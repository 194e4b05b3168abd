import { beforeAll, describe, expect, test } from 'bun:test';
import { encodeAddress } from '../../src/shared/address.ts';
import { publishedLimits, unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import {
  createTestServiceKey,
  post as postInternally,
  startTestInternalApi,
  type TestInternalApi,
  type TestServiceKey,
} from '../support/internal/internal-api.ts';
import { insertSlot } from '../support/orders/insert-slot.ts';

const limits = { ...publishedLimits, ...unpublishedLimits };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let api: TestApi;
let key: TestKey;
let internal: TestInternalApi;
let serviceKey: TestServiceKey;

beforeAll(async () => {
  api = await startTestApi({
    environment: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  });
  key = await createTestKey(api.dependencies.database);
  internal = await startTestInternalApi({ database: api.database });
  serviceKey = await createTestServiceKey(internal.owner);
});

const get = (path: string, query: Record<string, string | number>) => {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return fetch(`${api.baseUrl}${path}?${text.join('&')}`, { headers: key.header });
};
const post = (path: string, body: unknown, idempotencyKey: string = crypto.randomUUID()) =>
  fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const createEndpoint = (body: object, idempotencyKey?: string) =>
  post('/webhook-endpoints', { url: 'http://127.0.0.1:8080/hook', ...body }, idempotencyKey);
/** Any 32 bytes: a thousand keys would take a second to generate. */
const newAddress = () => encodeAddress(crypto.getRandomValues(new Uint8Array(32)));
const addresses = (count: number) => Array.from({ length: count }, newAddress);
const from = new Date(Date.now() - 60 * DAY_MS);
const range = (ms: number) => ({
  from: from.toISOString(),
  to: new Date(from.getTime() + ms).toISOString(),
});

interface RequestLimit {
  name: keyof typeof limits;
  /** The smallest value that is too much; for a minimum, the largest that is too little. */
  beyond: number;
  send(size: number): Promise<Response>;
  code: string;
  /** The field at fault. */
  path?: string;
}

const most = (
  name: keyof typeof limits,
  send: RequestLimit['send'],
  path?: string,
  code = 'validation_failed',
): RequestLimit => ({ name, beyond: limits[name] + 1, send, code, ...(path === undefined ? {} : { path }) });

/** No record has to exist: a request within the limit may be refused for another reason. */
const requestLimits: readonly RequestLimit[] = [
  most(
    'idempotencyKeyLengthMax',
    (length) => createEndpoint({}, 'k'.repeat(length)),
    undefined,
    'idempotency_key_invalid',
  ),
  {
    name: 'idempotencyKeyLengthMin',
    beyond: limits.idempotencyKeyLengthMin - 1,
    send: (length) => createEndpoint({}, 'l'.repeat(length)),
    code: 'idempotency_key_invalid',
  },
  most(
    'operationBodyBytes',
    (bytes) => post('/webhook-endpoints', `{}${' '.repeat(bytes - 2)}`),
    undefined,
    'request_body_too_large',
  ),
  most(
    'requestBodyBytes',
    (bytes) => postInternally(internal, serviceKey, '/wallets/batches', 'x'.repeat(bytes - '""'.length)),
    undefined,
    'request_body_too_large',
  ),
  most('pageLimitMax', (limit) => get('/tokens', { limit }), '/query/limit'),
  most(
    'candlePoints',
    (count) =>
      get(`/tokens/${newAddress()}/candles`, {
        interval: '1m',
        from: '2026-01-01T00:00:00Z',
        to: new Date(Date.UTC(2026, 0, 1) + count * MINUTE_MS).toISOString(),
      }),
    undefined,
    'market_time_range_invalid',
  ),
  most('listedMints', (count) => get('/tokens', { mints: addresses(count).join() }), '/query/mints'),
  most('searchLength', (length) => get('/tokens', { query: 'q'.repeat(length) }), '/query/query'),
  most(
    'quotedTokens',
    (count) => get('/quotes', { mints: addresses(count).join(), side: 'buy', amountRaw: '1' }),
    '/query/mints',
  ),
  most('statsTokens', (count) => get('/token-stats', { mints: addresses(count).join() }), '/query/mints'),
  most(
    'pricedAccounts',
    (count) => get('/priority-fees', { accounts: addresses(count).join() }),
    '/query/accounts',
  ),
  most(
    'platformFeeBps',
    (platformFeeBps) => get(`/tokens/${newAddress()}/quote`, { side: 'buy', amountRaw: '1', platformFeeBps }),
    '/query/platformFeeBps',
  ),
  most('endpointSubjects', (count) => createEndpoint({ subjects: addresses(count) }), '/body/subjects'),
  most(
    'followedSubjects',
    (count) => createEndpoint({ eventTypes: [eventType('wallet.traded')], subjects: addresses(count) }),
    '/body/subjects',
  ),
  most(
    'streamTopics',
    (count) =>
      get('/stream', {
        topics: addresses(count)
          .map((mint) => `token:${mint}`)
          .join(),
      }),
    '/query/topics',
  ),
  most('feeClaimMints', (count) => post('/fee-claims', { mints: addresses(count) }), '/body/mints'),
  {
    name: 'landingReportDays',
    beyond: limits.landingReportDays * DAY_MS + 1,
    send: (ms) => get('/landing-report', range(ms)),
    code: 'landing_report_range_invalid',
  },
];

/** Whether the request is refused for the size of this field. */
async function isRefused({ send, code, path }: RequestLimit, size: number): Promise<boolean> {
  const response = await send(size);
  const problem = (await response.json()) as { code?: string; errors?: { path: string }[] };
  if (problem.code !== code) return false;
  return path === undefined || (problem.errors ?? []).some((error) => error.path === path);
}

describe('a request of exactly the limit is not refused for its size, and of one more it is', () => {
  test.each(requestLimits)('$name', async (limit) => {
    const within = limit.name.endsWith('Min') ? limit.beyond + 1 : limit.beyond - 1;
    expect([await isRefused(limit, within), await isRefused(limit, limit.beyond)]).toEqual([false, true]);
  });
});

test('a page has pageLimitDefault records unless the request asks for another number', async () => {
  const { accountId } = key;
  for (let count = 0; count <= limits.pageLimitDefault; count += 1)
    await insertSlot(api.dependencies.database, { accountId });
  const { data, page } = (await (await get('/order-slots', {})).json()) as {
    data: unknown[];
    page: { hasMore: boolean };
  };
  expect([data.length, page.hasMore]).toEqual([limits.pageLimitDefault, true]);
});
