import { beforeAll, describe, expect, test } from 'bun:test';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { hintUntilDropped } from '../support/api/hint-until-dropped.ts';
import { iso, type MarketApi, startMarketApi, type TradePage } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { tradedToken } from '../support/api/traded-token.ts';
import { FIRST_BLOCK_TIME_MS } from '../support/market/market-arbitraries.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

const WINDOW = `from=${iso(FIRST_BLOCK_TIME_MS - 3_600_000)}&to=${iso(FIRST_BLOCK_TIME_MS + 36_000_000)}&interval=1h`;
const NO_CACHE = { 'cache-control': 'no-cache' };

let market: MarketApi;

beforeAll(async () => {
  // A bus of its own: its hints make every api forget what it has cached.
  market = await startMarketApi({ NATS_URL: (await createTestNats()).url });
  // Nothing becomes too old: what readers see depends on hints and headers alone.
  stopAgeing(market.api);
});

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${market.api.baseUrl}${path}`, { headers });
const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await read(path, headers)).text();

/** Holds the loads of a token, as a slow database does. */
function holdLoads() {
  const { tokens } = market.api.dependencies.tokenCaches;
  const { reads: gate } = market.api.dependencies.gates;
  const clients = Array.from({ length: gate.options.runningMax }, (_, number) => ({
    name: `holder ${number}`,
    isKeyed: true,
  }));
  for (const client of clients) expect(gate.tryTake(client)).toBe(true);
  const letGo = () => {
    for (const client of clients.splice(0)) gate.release(client);
  };
  atEnd(async () => letGo());
  return { tokens, letGo };
}

describe('an anonymous read', () => {
  test.each([
    ['the token', (mint: string) => `/tokens/${mint}`],
    ['the market snapshot', (mint: string) => `/tokens/${mint}/market`],
    ['trades', (mint: string) => `/tokens/${mint}/trades`],
    ['filtered trades', (mint: string) => `/tokens/${mint}/trades?type=buy`],
    ['candles', (mint: string) => `/tokens/${mint}/candles?${WINDOW}`],
    ['statistics', (mint: string) => `/tokens/${mint}/stats`],
    ['several tokens', (mint: string) => `/tokens?mints=${mint}`],
  ])(
    'of %s with no-cache shows what was committed before it, without a hint; so do those after it',
    async (_name, pathOf) => {
      const { mint, trade } = await tradedToken(market);
      const path = pathOf(mint);
      const before = await textOf(path);
      await trade();
      expect(await textOf(path)).toBe(before);
      const fresh = await read(path, NO_CACHE);
      const text = await fresh.text();
      expect(text).not.toBe(before);
      expect(fresh.headers.get('cache-control')).toStartWith('public, max-age=');
      expect(await textOf(path)).toBe(text);
      await trade();
      expect(await textOf(path, { 'cache-control': 'max-age=0' })).not.toBe(text);
    },
  );

  test('of a list with no-cache has a token that was just launched', async () => {
    const list = async (headers: Record<string, string> = {}) => textOf('/tokens?limit=1', headers);
    const before = await list();
    // The helper that launches a token tells no cache of it.
    const mint = await market.launch();
    expect(await list()).toBe(before);
    expect(await list(NO_CACHE)).toContain(mint);
  });

  test('with no-cache is 304 for a client that has what is there now', async () => {
    const { mint } = await tradedToken(market);
    const path = `/tokens/${mint}`;
    const etag = (await read(path)).headers.get('etag') ?? '';
    expect((await read(path, { ...NO_CACHE, 'if-none-match': etag })).status).toBe(304);
  });

  test('gets stale bytes after a hint while the database is slow; one with no-cache is refused, in time', async () => {
    const { mint, trade } = await tradedToken(market);
    const path = `/tokens/${mint}`;
    const before = await textOf(path);
    await trade();
    const { tokens, letGo } = holdLoads();
    await hintUntilDropped(market.api, hints.tokenChanged, mint, tokens);
    expect(await textOf(path)).toBe(before);
    const refused = await read(path, NO_CACHE);
    expect(refused.headers.get('retry-after')).toBe('1');
    await expectProblem(refused, 'token_index_unavailable');
    expect(await textOf(path)).toBe(before);
    letGo();
    await eventually('the reload', async () => (await textOf(path)) !== before);
  });

  test('that waits gets no stale bytes', async () => {
    const { mint, trade } = await tradedToken(market);
    const path = `/tokens/${mint}`;
    const response = await read(path);
    const held = { 'if-none-match': response.headers.get('etag') ?? '', prefer: 'wait=25' };
    await trade();
    await hintUntilDropped(market.api, hints.tokenChanged, mint, market.api.dependencies.tokenCaches.tokens);
    const woken = await read(path, held);
    expect(woken.status).toBe(200);
    expect(woken.headers.get('cache-control')).toBe('private, no-store');
  });

  test('of a token that did not exist is no 404 after the hint of its launch', async () => {
    const { mint } = await tradedToken(market);
    const { database } = market.api.dependencies;
    await database`update tokens set hidden = true where mint_address = ${mint}`;
    await expectProblem(await read(`/tokens/${mint}/holders`), 'token_not_found');
    await database`update tokens set hidden = false where mint_address = ${mint}`;
    const { holders } = market.api.dependencies.marketCaches;
    await hintUntilDropped(market.api, hints.tokenChanged, mint, holders);
    await expectProblem(await read(`/tokens/${mint}/holders`), 'holder_stats_not_found');
  });
});

describe('a token that the operator hides', () => {
  test('is gone at the hint of its hiding, although a reload began before', async () => {
    const { mint, trade } = await tradedToken(market);
    const paths = [`/tokens/${mint}`, `/tokens/${mint}/market`, `/tokens/${mint}/trades`];
    for (const path of paths) expect((await read(path)).status).toBe(200);
    expect(await textOf(`/tokens?mints=${mint}`)).toContain(mint);
    await trade();
    const { tokens } = market.api.dependencies.tokenCaches;
    await hintUntilDropped(market.api, hints.tokenChanged, mint, tokens);
    // Each begins a reload, which may end before the token is hidden, or after it.
    await Promise.all(paths.map((path) => read(path)));
    await market.api.dependencies.database.begin((sql) => setTokenHidden(sql, mint, true));
    expect([200, 404]).toContain((await read(`/tokens/${mint}`)).status);
    const { caches } = market.api.dependencies;
    let forgot = 0;
    caches.follow({
      hint: hints.tokenChanged,
      onHint() {},
      onGap: () => {
        forgot += 1;
      },
    });
    const bus = await connectBus(market.api.config, 'test');
    atEnd(() => bus.close());
    bus.publish(hints.tokensHidden);
    await bus.flush();
    await eventually('the hint', async () => forgot > 0);
    for (const path of paths) await expectProblem(await read(path), 'token_not_found');
    expect(await textOf(`/tokens?mints=${mint}`)).not.toContain(mint);
  });
});

test('a page in a browser may ask for no-cache', async () => {
  const preflight = await fetch(`${market.api.baseUrl}/tokens`, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Cache-Control');
});

test('the pages of trades that a client walks are never older than the page before', async () => {
  const { mint, trade } = await tradedToken(market);
  const count = async () =>
    (JSON.parse(await textOf(`/tokens/${mint}/trades?limit=7`)) as TradePage).data.length;
  expect(await count()).toBe(1);
  await trade();
  expect(await count()).toBe(2);
});
