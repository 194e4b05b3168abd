import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { MarketSnapshotSchema } from '../../src/features/market/schema.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { followRankings } from '../../src/features/tokens/follow-rankings.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { ListedTokenSchema, TokenSchema } from '../../src/features/tokens/schema.ts';
import { tokenSorts } from '../../src/features/tokens/token-filter.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { storeInspectedPool } from '../../src/indexer/store/token-pools.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { hintUntilDropped } from '../support/api/hint-until-dropped.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { eventually } from '../support/run/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const newMint = () => Keypair.generate().publicKey.toBase58();

async function launch(changes: Partial<Parameters<typeof upsertToken>[3]> = {}): Promise<string> {
  const { database, outbox } = api.dependencies;
  const mintAddress = changes.mintAddress ?? newMint();
  await database.begin((transaction) =>
    upsertToken(transaction, outbox, systemClock, {
      mintAddress,
      creatorWallet: newMint(),
      name: 'Example',
      symbol: 'EX',
      decimals: 6,
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      ...changes,
    }),
  );
  for (const cache of Object.values(api.dependencies.tokenCaches)) cache.clear();
  return mintAddress;
}

function get(path: string): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`);
}

describe('a token', () => {
  test('fits its schema, with an unknown price as null', async () => {
    const mint = await launch({
      links: { website: 'example.com', twitter: '@example', telegram: 'not a link at all' },
    });
    const token = (await (await get(`/tokens/${mint}`)).json()) as Record<string, unknown>;
    expect(Value.Check(TokenSchema, token)).toBe(true);
    expect(token).toMatchObject({
      mintAddress: mint,
      currentPriceInSol: null,
      marketCapInSol: null,
      totalSupply: '1000000000',
    });
    const market = (await (await get(`/tokens/${mint}/market`)).json()) as Record<string, unknown>;
    expect(Value.Check(MarketSnapshotSchema, market)).toBe(true);
    expect(market).toMatchObject({ mintAddress: mint, priceInSol: null, provenance: 'service-indexer' });
  });

  test('unknown or hidden is 404 everywhere', async () => {
    const mint = await launch();
    await api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mint, true));
    for (const address of [newMint(), mint]) {
      await expectProblem(await get(`/tokens/${address}`), 'token_not_found');
      await expectProblem(await get(`/tokens/${address}/market`), 'token_not_found');
    }
    const { data } = (await (await get('/tokens?limit=100')).json()) as { data: { mintAddress: string }[] };
    expect(data.map(({ mintAddress }) => mintAddress)).not.toContain(mint);
  });

  test('changed by another process is read again as soon as the hint arrives', async () => {
    const mint = await launch({ name: 'Before' });
    const name = async () => ((await (await get(`/tokens/${mint}`)).json()) as { name: string }).name;
    const goOn = stopAgeing(api);
    expect(await name()).toBe('Before');
    const { database } = api.dependencies;
    await database`update tokens set name = 'After' where mint_address = ${mint}`;
    expect(await name()).toBe('Before');
    await hintUntilDropped(api, hints.tokenChanged, mint, api.dependencies.tokenCaches.tokens);
    await eventually('the reload', async () => (await name()) === 'After');
    goOn();
  });

  test('requested by 200 concurrent callers on a cold start is read once', async () => {
    const mint = await launch();
    let loads = 0;
    const { tokens } = api.dependencies.tokenCaches;
    const load = () => {
      loads += 1;
      return findToken(api.dependencies.database, mint);
    };
    await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        tokens.get(
          { client: { name: `reader ${at}`, isKeyed: false }, freshness: 'granted' },
          `cold-${mint}`,
          load,
        ),
      ),
    );
    expect(loads).toBe(1);
  });
});

interface TokenPage {
  data: { mintAddress: string }[];
  page: { hasMore: boolean; nextCursor: string | null };
}

describe('the list', () => {
  test('pages neither skip nor repeat while tokens are being added', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1) expected.unshift(await launch({ launchType: 'pre_raise' }));
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { data, page } = (await (
        await get(`/tokens?limit=3&launchType=pre_raise${cursor}`)
      ).json()) as TokenPage;
      seen.push(...data.map(({ mintAddress }) => mintAddress));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
      await launch({ launchType: 'pre_raise' });
    }
    expect(seen).toEqual(expected);
  });

  test('filters by status and launch type together', async () => {
    const mint = await launch({ status: 'graduated', launchType: 'pre_raise' });
    const { data } = (await (await get('/tokens?status=graduated&launchType=pre_raise')).json()) as TokenPage;
    expect(data.map(({ mintAddress }) => mintAddress)).toEqual([mint]);
  });

  test('refuses a cursor that is malformed, altered, or of another query', async () => {
    await launch();
    await launch();
    const { page } = (await (await get('/tokens?limit=1')).json()) as TokenPage;
    const cursor = page.nextCursor ?? '';
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const query of [
      'cursor=short',
      `cursor=${altered}`,
      `cursor=${cursor}&status=bonding`,
      'cursor=%20%20%20',
    ]) {
      await expectProblem(await get(`/tokens?${query}`), 'cursor_invalid');
    }
    expect((await get(`/tokens?limit=9&cursor=${cursor}`)).status).toBe(200);
  });
});

describe('a list that is sorted, searched or named', () => {
  const read = async (query: string) => (await (await get(`/tokens?${query}`)).json()) as TokenPage;
  const rank = async () => {
    const context = { db: api.dependencies.database, clock: systemClock, onRanked: () => {} };
    while (await followRankings(context));
    for (const cache of Object.values(api.dependencies.tokenCaches)) cache.clear();
  };

  test('has the values that it is sorted by, as its schema says, and pages with its own cursors', async () => {
    await launch();
    await launch();
    await rank();
    for (const sort of tokenSorts) {
      const { data, page } = await read(`sort=${sort}&limit=1`);
      expect(Value.Check(ListedTokenSchema, data[0])).toBe(true);
      expect(data[0]).toMatchObject({
        ranking: { volumeInSol24h: '0', tradeCount1h: 0, lastTradeAt: null },
      });
      const next = await read(`sort=${sort}&limit=1&cursor=${page.nextCursor}`);
      expect(next.data[0]?.mintAddress).not.toBe(data[0]?.mintAddress ?? '');
      const other = sort === 'marketCap' ? 'volume24h' : 'marketCap';
      for (const query of [`sort=${other}`, `sort=${sort}&minMarketCap=1`, `sort=${sort}&status=bonding`])
        await expectProblem(await get(`/tokens?${query}&cursor=${page.nextCursor}`), 'cursor_invalid');
    }
  });

  test('shows of each token its own values', async () => {
    const { database } = api.dependencies;
    const mints: string[] = [];
    const graduatedAt = new Date(FIRST_BLOCK_TIME_MS);
    for (const times of [1, 2]) {
      const [mint, poolAddress] = [newMint(), newMint()];
      mints.push(mint);
      await launch({
        mintAddress: mint,
        decimals: 6 + times,
        totalSupply: String(1_000 * times),
        poolAddress,
      });
      const pool = { poolAddress, mintAddress: mint, program: 'dbc', unusableReason: null } as const;
      await storeInspectedPool(
        database,
        { ...pool, graduationThresholdInSol: normaliseDecimal('80') },
        new Date(),
      );
      const spots = ['1', '1.25', '1.5'].slice(0, 1 + times);
      const trades = spots.map((spotPriceInSol, at) =>
        numberedTrade(mint, at, { spotPriceInSol, liquidityInSol: String(10 * times) }),
      );
      await database.begin((transaction) => storeTrades(transaction, trades));
      await database`update tokens set graduated_at = ${graduatedAt} where mint_address = ${mint}`;
    }
    await database`update stream_progress set proven_through = ${new Date(FIRST_BLOCK_TIME_MS + 60_000)}`;
    await rank();
    await database`update stream_progress set proven_through = null`;
    const at = (seconds: number) => new Date(FIRST_BLOCK_TIME_MS + seconds * 1_000).toISOString();
    expect((await read(`mints=${mints.join()}`)).data).toMatchObject([
      {
        decimals: 7,
        ranking: {
          marketCapInSol: '1250',
          volumeInSol24h: '3',
          tradeCount1h: 2,
          priceChangePercent1h: '25',
          graduationProgress: '0.125',
          lastTradeAt: at(1),
        },
      },
      {
        decimals: 8,
        ranking: {
          marketCapInSol: '3000',
          volumeInSol24h: '4.5',
          tradeCount1h: 3,
          priceChangePercent1h: '50',
          graduationProgress: '0.25',
          lastTradeAt: at(2),
        },
      },
    ]);
    for (const [index, mint] of mints.entries())
      expect(await (await get(`/tokens/${mint}`)).json()).toMatchObject({
        decimals: 7 + index,
        graduatedAt: graduatedAt.toISOString(),
      });
  });

  test('is served from the same bytes until it may have changed', async () => {
    const { caches } = api.dependencies;
    const now = spyOn(caches, 'nowMs').mockReturnValue(caches.nowMs());
    const first = await get('/tokens?sort=marketCap');
    const second = await get('/tokens?sort=marketCap');
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'));
    const { rankedLists } = api.dependencies.tokenCaches;
    const { hits } = rankedLists;
    await get('/tokens?sort=marketCap');
    expect(rankedLists.hits).toBe(hits + 1);
    now.mockRestore();
  });

  test('of mints has the visible ones in the order of the request, on one page', async () => {
    const [one, two, hidden] = [await launch(), await launch(), await launch()];
    await api.dependencies.database.begin((sql) => setTokenHidden(sql, hidden, true));
    const { data, page } = await read(`mints=${[two, newMint(), hidden, one].join()}&limit=1`);
    expect(data.map(({ mintAddress }) => mintAddress)).toEqual([two, one]);
    expect(page).toEqual({ hasMore: false, nextCursor: null });
  });

  test('of a search has the match, and of a creator what that wallet launched', async () => {
    const creatorWallet = newMint();
    const mint = await launch({ symbol: 'QUAGGA', name: 'Quagga', creatorWallet });
    await rank();
    for (const query of ['query=quaga', `query=${mint.slice(0, 8)}`, `creatorWallet=${creatorWallet}`])
      expect((await read(query)).data.map(({ mintAddress }) => mintAddress)).toEqual([mint]);
    expect((await read(`creatorWallet=${creatorWallet}&minMarketCap=1`)).data).toEqual([]);
    expect((await read('query=quagga&status=graduated')).data).toEqual([]);
  });

  test.each([
    ['sort=price', '/query/sort', 'invalid_value'],
    ['query=', '/query/query', 'too_short'],
    ['query=%20', '/query/query', 'too_short'],
    [`query=${'a'.repeat(65)}`, '/query/query', 'too_long'],
    ['query=a%00', '/query/query', 'invalid_value'],
    ['query=a%E2%80%AEb', '/query/query', 'invalid_value'],
    ['query=a&sort=marketCap', '/query/sort', 'invalid_value'],
    [`query=a&creatorWallet=${newMint()}`, '/query/creatorWallet', 'invalid_value'],
    [`creatorWallet=${newMint()}&sort=marketCap`, '/query/sort', 'invalid_value'],
    ['creatorWallet=nobody', '/query/creatorWallet', 'invalid_format'],
    ['mints=', '/query/mints', 'invalid_format'],
    ['mints=one,two', '/query/mints', 'invalid_format'],
    [
      `mints=${Array.from({ length: 2 }, () => 'So11111111111111111111111111111111111111112')}`,
      '/query/mints',
      'invalid_value',
    ],
    [`mints=${Array.from({ length: 101 }, newMint)}`, '/query/mints', 'too_long'],
    [`mints=${newMint()}&status=bonding`, '/query/status', 'invalid_value'],
    [`mints=${newMint()}&minTrades1h=1`, '/query/minTrades1h', 'invalid_value'],
    ['minMarketCap=-1', '/query/minMarketCap', 'invalid_format'],
    [`minMarketCap=${'1'.repeat(41)}`, '/query/minMarketCap', 'too_long'],
    ['minMarketCap=2&maxMarketCap=1.9', '/query/maxMarketCap', 'out_of_range'],
    ['minPriceChange1h=-2&maxPriceChange1h=-3', '/query/maxPriceChange1h', 'out_of_range'],
    ['minTrades1h=-1', '/query/minTrades1h', 'out_of_range'],
    ['minLastTradeAt=yesterday', '/query/minLastTradeAt', 'invalid_format'],
  ])('%s is refused at %s', async (query, path, code) => {
    const { errors } = await expectProblem(await get(`/tokens?${query}`), 'validation_failed');
    expect(errors).toMatchObject([{ path, code }]);
  });

  test('whose bounds are negative, equal or far away is no error', async () => {
    for (const query of [
      'minPriceChange1h=-3&maxPriceChange1h=-2',
      'minPriceChange1h=-3&maxPriceChange1h=2',
      'minMarketCap=1&maxMarketCap=1',
      `sort=marketCap&maxMarketCap=${'9'.repeat(40)}`,
      'sort=trades1h&minTrades1h=2147483647',
      'sort=lastTradeAt&minLastTradeAt=0001-01-01T00:00:00Z',
      'minLastTradeAt=9999-12-31T23:59:59.999999999%2B14:00',
    ])
      expect(`${query}: ${(await get(`/tokens?${query}`)).status}`).toBe(`${query}: 200`);
  });
});
