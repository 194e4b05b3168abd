import { beforeAll, describe, expect, test } from 'bun:test';
import { processEnvironment } from '../../sandbox/processes/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { eventually } from '../support/run/eventually.ts';
import { processSettings } from '../support/sandbox/process-settings.ts';

let market: MarketApi;
let strict: TestApi;
let mint: string;

beforeAll(async () => {
  market = await startMarketApi();
  strict = await startTestApi({ environment: { STRICT_QUERY: 'true' } });
  mint = await market.launch();
  await market.store(market.newTrades(mint, 1));
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${market.api.baseUrl}${path}`, { headers });
const ignoredIn = (response: Response) => response.headers.get('launchwire-ignored');

describe('Launchwire-Ignored', () => {
  test.each([
    ['tokens', 'q=lantern', 'q; nearest="query"'],
    ['tokens', 'search=lantern', 'search; nearest="query"'],
    ['tokens', 'orderBy=volume24h', 'orderBy; nearest="sort"'],
    ['tokens', 'limt=1&limit=2', 'limt; nearest="limit"'],
    ['trades', 'wallet=x', 'wallet; nearest="traderWallet"'],
    ['trades', 'minSol=100&side=buy', 'minSol; nearest="minSolAmount", side; nearest="type"'],
    ['trades', 'since=1&until=2', 'since; nearest="from", until; nearest="to"'],
    ['trades', 'q=1', 'q'],
    ['token', 'limit=1', 'limit'],
    ['token', 'x=1&x=2&y', 'x, y'],
  ])('names what a read of %s ignored of ?%s', async (read, query, expected) => {
    const path = { tokens: '/tokens', trades: `/tokens/${mint}/trades`, token: `/tokens/${mint}` }[read];
    const response = await get(`${path}?${query}`);
    expect(response.status).toBe(200);
    expect(ignoredIn(response)).toBe(expected);
    expect(response.headers.get('access-control-expose-headers')).toContain('Launchwire-Ignored');
  });

  test('comes with the bytes of the cache, with a 304 and with errors, each for its own query alone', async () => {
    const path = `/tokens/${mint}`;
    const plain = await get(path);
    expect(ignoredIn(plain)).toBeNull();
    const etag = plain.headers.get('etag') ?? '';
    const named = await get(`${path}?a=1`);
    expect([named.headers.get('etag'), ignoredIn(named)]).toEqual([etag, 'a']);
    expect(ignoredIn(await get(`${path}?b=1`))).toBe('b');
    const unchanged = await get(`${path}?c=1`, { 'if-none-match': etag });
    expect([unchanged.status, ignoredIn(unchanged)]).toEqual([304, 'c']);
    const again = await get(path, { 'if-none-match': etag });
    expect([again.status, ignoredIn(again)]).toEqual([304, null]);
    expect(ignoredIn(await get(path))).toBeNull();
    const unknown = await get('/tokens/So11111111111111111111111111111111111111112?d=1');
    expect(ignoredIn(unknown)).toBe('d');
    await expectProblem(unknown, 'token_not_found');
    const invalid = await get(`/tokens/${mint}/trades?limit=0&wallet=x`);
    expect(ignoredIn(invalid)).toBe('wallet; nearest="traderWallet"');
    await expectProblem(invalid, 'validation_failed');
  });

  test('comes with a read that was held', async () => {
    const path = `/tokens/${mint}/trades`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    const { publicWaits } = market.api.dependencies.pipeline;
    const held = get(`${path}?wallet=x`, { 'if-none-match': etag, prefer: 'wait=1' });
    await eventually('the read waits', async () => publicWaits.count === 1);
    const response = await held;
    expect([response.headers.get('preference-applied'), ignoredIn(response)]).toEqual([
      'wait=1',
      'wallet; nearest="traderWallet"',
    ]);
  });

  test('is not made for a request that was not admitted', async () => {
    const limited = await startTestApi({
      environment: { RATE_LIMITS: '{"public-read-cheap":{"limit":1,"windowSeconds":86400}}' },
    });
    const url = `${limited.baseUrl}/tokens?q=1`;
    expect(ignoredIn(await fetch(url))).toBe('q; nearest="query"');
    const refused = await fetch(url);
    expect(ignoredIn(refused)).toBeNull();
    await expectProblem(refused, 'rate_limit_exceeded');
  });

  test.each([
    ['a%0D%0ASet-Cookie%3A%20b', '"a%0D%0ASet-Cookie: b"'],
    ['%22%5C', '"\\"\\\\"'],
    ['%E2%82%AC%F0%9F%98%80', '"%E2%82%AC%F0%9F%98%80"'],
    ['%FF', '"%EF%BF%BD"'],
    ['%00', '"%00"'],
    ['', '""'],
    ['50%25', '"50%25"'],
    ['filter%5Bname%5D', '"filter[name]"'],
    ['1st', '"1st"'],
    ['*', '*'],
    [`lw_test_${'k'.repeat(40)}`, '"lw_[redacted]"'],
    ['n'.repeat(5_000), 'n'.repeat(64)],
  ])('carries the hostile name %s as bounded printable ASCII', async (name, expected) => {
    const response = await get(`/tokens/${mint}?${name}=1`);
    expect(response.status).toBe(200);
    expect(ignoredIn(response)).toBe(expected);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('names at most 8, in at most 1,024 characters', async () => {
    const short = Array.from({ length: 3_000 }, (_, at) => `n${at}=1`)
      .join('&')
      .slice(0, 12_000);
    expect(ignoredIn(await get(`/tokens/${mint}?${short}`))).toBe('n0, n1, n2, n3, n4, n5, n6, n7');
    const wide = Array.from({ length: 9 }, (_, at) => `${at}${'%E2%82%AC'.repeat(63)}=1`).join('&');
    const value = ignoredIn(await get(`/tokens/${mint}?${wide}`)) ?? '';
    expect(value.length).toBeGreaterThan(0);
    expect(value.length).toBeLessThanOrEqual(1_024);
  });
});

describe('with STRICT_QUERY', () => {
  test('a filter by the name that a stream gives it is refused with its name here', async () => {
    const response = await fetch(`${strict.baseUrl}/tokens/${mint}/trades?minSol=1`);
    const { errors } = await expectProblem(response, 'validation_failed');
    const message = 'is not a known parameter; did you mean minSolAmount?';
    expect(errors).toEqual([{ path: '/query/minSol', code: 'unknown_field', message }]);
  });

  test('the sandbox refuses them, unless its user wants otherwise or runs it as live', () => {
    const strictQueryOf = (given: Record<string, string>) =>
      loadConfig(processEnvironment(given, processSettings)).strictQuery;
    expect(strictQueryOf({})).toBe(true);
    expect(strictQueryOf({ STRICT_QUERY: 'false' })).toBe(false);
    expect(strictQueryOf({ API_ENVIRONMENT: 'live' })).toBe(false);
  });

  test('paths outside the contract take any query', async () => {
    expect((await fetch(`${strict.origin}/docs?utm_source=x`)).status).toBe(200);
    const metadata = await fetch(`${strict.origin}/metadata/${mint}?v=2`);
    expect(metadata.status).toBe(404);
    expect((await fetch(`${strict.origin}/healthz?probe=1`)).status).toBe(200);
  });
});
