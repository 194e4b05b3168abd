import { beforeAll, describe, expect, test } from 'bun:test';
import bs58 from 'bs58';
import { ChangeWaits } from '../../src/http/waits/change-waits.ts';
import { storeHolderCounts } from '../../src/indexer/store/holder-counts.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { iso, type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { tradedToken } from '../support/api/traded-token.ts';
import { FIRST_BLOCK_TIME_MS } from '../support/market/market-arbitraries.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const WINDOW = `from=${iso(FIRST_BLOCK_TIME_MS - 3_600_000)}&to=${iso(FIRST_BLOCK_TIME_MS + 36_000_000)}&interval=1h`;

let market: MarketApi;
let hint: (mint: string) => void;

beforeAll(async () => {
  market = await startMarketApi();
  const bus = await connectBus(market.api.config, 'test');
  atEnd(() => bus.close());
  hint = (mint) => bus.publish(hints.tokenChanged, mint);
});

const waitsOf = (api: TestApi) => api.dependencies.pipeline.publicWaits;
const waiting = (count: number, api = market.api) =>
  eventually(`${count} waiting`, async () => waitsOf(api).count === count);

const get = (path: string, headers: Record<string, string> = {}, api = market.api) =>
  fetch(`${api.baseUrl}${path}`, { headers });

async function tagOf(path: string, api = market.api): Promise<string> {
  const response = await get(path, {}, api);
  expect(response.status).toBe(200);
  return response.headers.get('etag') ?? '';
}

const hold = (path: string, tag: string, seconds = 25, api = market.api) =>
  get(path, { 'if-none-match': tag, prefer: `wait=${seconds}` }, api);

describe('a conditional read that prefers to wait', () => {
  test.each([
    ['the token', (mint: string) => `/tokens/${mint}`],
    ['the market snapshot', (mint: string) => `/tokens/${mint}/market`],
    ['trades', (mint: string) => `/tokens/${mint}/trades`],
    ['trades by another length', (mint: string) => `/tokens/${mint}/trades?limit=1`],
    ['candles', (mint: string) => `/tokens/${mint}/candles?${WINDOW}`],
  ])('gets %s when a trade is stored, by the hint on the bus', async (_name, pathOf) => {
    const { mint, trade } = await tradedToken(market);
    const tag = await tagOf(pathOf(mint));
    const response = hold(pathOf(mint), tag);
    await waiting(1);
    await trade();
    hint(mint);
    await waiting(0);
    const { status, headers } = await response;
    expect(status).toBe(200);
    expect(headers.get('etag')).not.toBe(tag);
    expect(headers.get('preference-applied')).toBe('wait=25');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('vary')).toBe('Prefer');
    expect(waitsOf(market.api).count).toBe(0);
  });

  test('gets the trade of the transaction that it names, and does not end at other trades', async () => {
    const { mint, trade } = await tradedToken(market);
    const transactionSignature = bs58.encode(crypto.getRandomValues(new Uint8Array(64)));
    const path = `/tokens/${mint}/trades?signature=${transactionSignature}`;
    const response = hold(path, await tagOf(path));
    await waiting(1);
    await trade();
    hint(mint);
    // It ends at its timeout without a new state. An equal request of one second sees the same.
    expect(await (await hold(path, await tagOf(path), 1)).status).toBe(304);
    await waiting(1);
    await trade({ transactionSignature });
    hint(mint);
    await waiting(0);
    expect(await (await response).json()).toMatchObject({ data: [{ transactionSignature }] });
  });

  test('gets holder statistics when they have been counted again', async () => {
    const mint = await market.launch();
    const count = (holderCount: number, slot: string) =>
      market.api.dependencies.database.begin((transaction) =>
        storeHolderCounts(transaction, [
          { mintAddress: mint, holderCount, slot, asOf: iso(Date.now()), provenance: 'onchain_snapshot' },
        ]),
      );
    await count(1, '7');
    const path = `/tokens/${mint}/holders`;
    const response = hold(path, await tagOf(path));
    await waiting(1);
    await count(2, '8');
    hint(mint);
    await waiting(0);
    expect(await (await response).json()).toMatchObject({ holderCount: 2 });
  });

  test('is 304 at its timeout', async () => {
    const { path } = await tradedToken(market);
    const tag = await tagOf(path);
    const response = await hold(path, tag, 1);
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(tag);
    expect(response.headers.get('preference-applied')).toBe('wait=1');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('does not end at a proof, and shows the new `asOf` at its end', async () => {
    const { mint, path, trade } = await tradedToken(market);
    await market.prove(mint, new Date(FIRST_BLOCK_TIME_MS + 3_600_000));
    market.dropCaches();
    const tag = await tagOf(path);
    await market.prove(mint, new Date(FIRST_BLOCK_TIME_MS + 3_601_000));
    market.dropCaches();
    expect(await tagOf(path)).not.toBe(tag);
    const response = hold(path, tag);
    await waiting(1);
    hint(mint);
    await market.prove(mint, new Date(FIRST_BLOCK_TIME_MS + 3_602_000));
    const short = await hold(path, tag, 1);
    expect(short.status).toBe(200);
    expect(await short.json()).toMatchObject({ asOf: expect.any(String), data: [expect.anything()] });
    expect(waitsOf(market.api).count).toBe(1);
    waitsOf(market.api).wakeAll();
    await trade();
    hint(mint);
    await waiting(0);
    expect(((await (await response).json()) as { data: unknown[] }).data).toHaveLength(2);
  });

  test('gets a change without a hint at its timeout, or when hints may have been missed', async () => {
    for (const end of ['time', 'gap'] as const) {
      const { path, trade } = await tradedToken(market);
      const response = hold(path, await tagOf(path), end === 'time' ? 5 : 25);
      await waiting(1);
      await trade();
      market.dropCaches();
      if (end === 'gap') waitsOf(market.api).wakeAll();
      expect((await response).status).toBe(200);
    }
  });

  test('is answered at once without the current ETag, and for a record that no longer changes', async () => {
    const { mint, path, trade } = await tradedToken(market);
    const plain = await get(path, { prefer: 'wait=25' });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('preference-applied')).toBeNull();
    expect(plain.headers.get('cache-control')).toBe('public, max-age=1');
    expect(plain.headers.get('vary')).toBe('Prefer');
    expect((await hold(path, '"other"')).status).toBe(200);
    expect((await hold(path, '*')).status).toBe(304);
    const unknown = await hold(`/tokens/${'1'.repeat(32)}`, '"other"');
    expect(unknown.status).toBe(404);
    await trade();
    const { page } = await market.json<{ page: { nextCursor: string } }>(`${path}?limit=1`);
    const older = `${path}?limit=1&cursor=${page.nextCursor}`;
    const history = await hold(older, await tagOf(older));
    expect(history.status).toBe(304);
    expect(history.headers.get('preference-applied')).toBeNull();
    await market.prove(mint, new Date(FIRST_BLOCK_TIME_MS + 72_000_000));
    market.dropCaches();
    const closed = `/tokens/${mint}/candles?${WINDOW}`;
    expect((await hold(closed, await tagOf(closed))).status).toBe(304);
    expect(waitsOf(market.api).count).toBe(0);
  });

  test('does not miss a change that an ageing cache has not seen', async () => {
    const { mint, trade } = await tradedToken(market);
    for (const path of [`/tokens/${mint}/candles?${WINDOW}`, `/tokens/${mint}/trades?limit=2`]) {
      const { marketChanges } = market.api.dependencies;
      const tag = await tagOf(path);
      const before = marketChanges.of(mint);
      await trade();
      hint(mint);
      await eventually('the hint', async () => marketChanges.of(mint) !== before);
      expect((await hold(path, tag)).status).toBe(200);
    }
  });

  test('takes one request from the budget, and any ETag of the list may match', async () => {
    const { mint, path, trade } = await tradedToken(market);
    const first = await get(path);
    const remaining = Number(first.headers.get('x-ratelimit-remaining'));
    const response = hold(path, `"other", W/${first.headers.get('etag')}`);
    await waiting(1);
    hint(mint);
    await trade();
    hint(mint);
    expect(Number((await response).headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(
      remaining - 1,
    );
  });
});

describe('a process', () => {
  test('that has no room for a waiting client responds 304 immediately', async () => {
    const publicWaits = new ChangeWaits({ waitingMax: 3, perCallerMax: 1, readingMax: 1 });
    const api = await startTestApi({
      database: market.api.database,
      environment: { TRUSTED_PROXY_HOPS: '1' },
      adjust: ({ pipeline }) => {
        pipeline.publicWaits = publicWaits;
      },
    });
    const { path } = await tradedToken(market);
    const tag = await tagOf(path, api);
    const from = (address: string) =>
      get(path, { 'if-none-match': tag, prefer: 'wait=25', 'x-forwarded-for': address }, api);
    const held = ['192.0.2.1', '192.0.2.2'].map(from);
    await waiting(2, api);
    const second = await from('192.0.2.1');
    expect(second.status).toBe(304);
    expect(second.headers.get('preference-applied')).toBeNull();
    expect(second.headers.get('cache-control')).toBe('public, max-age=1');
    expect(publicWaits.refused).toBe(1);
    held.push(from('192.0.2.3'));
    await waiting(3, api);
    expect((await from('192.0.2.4')).status).toBe(304);
    publicWaits.release();
    for (const response of await Promise.all(held))
      expect(response.headers.get('preference-applied')).toBe('wait=25');
  });

  test('that stops ends all waits, and begins no new ones', async () => {
    const api = await startTestApi({ database: market.api.database });
    const { path } = await tradedToken(market);
    const tag = await tagOf(path, api);
    const held = Array.from({ length: 20 }, () => hold(path, tag, 25, api));
    await waiting(20, api);
    api.dependencies.draining.begin();
    for (const response of await Promise.all(held)) expect(response.status).toBe(304);
    expect((await hold(path, tag, 25, api)).headers.get('preference-applied')).toBeNull();
  });

  test('loads once for all waits for the same record', async () => {
    const { mint, path, trade } = await tradedToken(market);
    const { candles, trades } = market.api.dependencies.marketCaches;
    for (const [cache, asked] of [
      [candles, `/tokens/${mint}/candles?${WINDOW}`],
      [trades, `${path}?limit=3`],
    ] as const) {
      const tag = await tagOf(asked);
      const { gates } = market.api.dependencies;
      const gate = cache === candles ? gates.heavyReads : gates.reads;
      const [tryTake, release] = [gate.tryTake.bind(gate), gate.release.bind(gate)];
      let running = 0;
      let loads = 0;
      gate.tryTake = (...client) => {
        const isTaken = tryTake(...client);
        if (isTaken) running += 1;
        return isTaken;
      };
      gate.release = (...client) => {
        loads += 1;
        running -= 1;
        release(...client);
      };
      const held = Array.from({ length: 20 }, () => hold(asked, tag));
      await waiting(20);
      // A wait is open before its first read has ended, which must not see the trade yet.
      await eventually('the first reads have ended', async () => running === 0);
      const { reads, hits } = cache;
      loads = 0;
      await trade();
      hint(mint);
      for (const response of await Promise.all(held)) expect(response.status).toBe(200);
      expect(cache.reads - reads).toBe(20);
      expect(cache.hits - hits).toBeGreaterThan(0);
      // An entry is a second old at most: a machine that stalls for longer loads it once more.
      expect(loads).toBeLessThanOrEqual(2);
    }
  });
});
