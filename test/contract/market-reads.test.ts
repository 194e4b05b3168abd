import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import bs58 from 'bs58';
import { HolderStatsSchema, MarketSnapshotSchema, TradeSchema } from '../../src/features/market/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeHolderCounts } from '../../src/indexer/store/holder-counts.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { startTestApi } from '../support/api/api.ts';
import { decimalsIn, isCanonicalDecimal } from '../support/api/candle-client.ts';
import { hintUntilDropped } from '../support/api/hint-until-dropped.ts';
import { iso, type MarketApi, startMarketApi, type TradePage } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { eventually } from '../support/run/eventually.ts';

let market: MarketApi;

const newSignature = () => bs58.encode(crypto.getRandomValues(new Uint8Array(64)));

beforeAll(async () => {
  market = await startMarketApi();
});

describe('trades', () => {
  test('come newest first in chain order, page by page, while newer ones are being stored', async () => {
    const mint = await market.launch();
    // All in one slot, so that every key of the order matters.
    const positions = [0, 1, 2].flatMap((transactionIndex) =>
      [0, 1].flatMap((outerIndex) =>
        [0, 1].map((innerIndex) => ({ transactionIndex, outerIndex, innerIndex })),
      ),
    );
    const stored = positions.map((position, at) => numberedTrade(mint, at, { slot: 7n, ...position }));
    await market.store(stored.toReversed());
    let next = 100;
    const listed = await market.allTrades(mint, 5, () =>
      market.store([numberedTrade(mint, next++, { slot: 9n })]),
    );
    expect(listed.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toReversed());
    expect(listed.every((trade) => Value.Check(TradeSchema, trade))).toBe(true);
  });

  test('of one transaction are found by its signature, however many trades came later', async () => {
    const mint = await market.launch();
    const other = await market.launch();
    const signature = newSignature();
    const swaps = [0, 1, 2].map((innerIndex) => ({
      ...numberedTrade(mint, innerIndex, { slot: 5n, innerIndex }),
      transactionSignature: signature,
    }));
    const elsewhere = { ...numberedTrade(other, 1, { slot: 5n }), transactionSignature: signature };
    const later = Array.from({ length: 60 }, (_, at) =>
      numberedTrade(mint, 100 + at, { slot: 9n, outerIndex: at }),
    );
    await market.store([...swaps, elsewhere, ...later]);
    const path = `/tokens/${mint}/trades?signature=${signature}`;
    const ids = ({ data }: TradePage) => data.map(({ id }) => id);
    const found = await market.json<TradePage>(path);
    expect(ids(found)).toEqual(swaps.map(({ id }) => id).toReversed());
    expect(found.page).toEqual({ hasMore: false, nextCursor: null });
    const first = await market.json<TradePage>(`${path}&limit=2`);
    const cursor = first.page.nextCursor ?? expect.unreachable();
    const second = await market.json<TradePage>(`${path}&limit=2&cursor=${cursor}`);
    expect([...ids(first), ...ids(second)]).toEqual(ids(found));
    expect(ids(await market.json(`/tokens/${mint}/trades?signature=${newSignature()}`))).toEqual([]);
    // A cursor is good for the list that made it.
    for (const list of [`/tokens/${mint}/trades`, `/tokens/${mint}/trades?signature=${newSignature()}`]) {
      const joint = list.includes('?') ? '&' : '?';
      await expectProblem(
        await fetch(`${market.api.baseUrl}${list}${joint}cursor=${cursor}`),
        'cursor_invalid',
      );
    }
    for (const wrong of ['x', `1${signature}`, mint, '']) {
      const response = await fetch(`${market.api.baseUrl}/tokens/${mint}/trades?signature=${wrong}`);
      await expectProblem(response, 'validation_failed');
    }
  });

  test('show the traded amounts exactly', async () => {
    const mint = await market.launch();
    const trade = numberedTrade(mint, 1, { type: 'sell', slot: 123_456_789_012n });
    await market.store([trade]);
    const { data, page } = await market.json<TradePage>(`/tokens/${mint}/trades`);
    expect(page).toEqual({ hasMore: false, nextCursor: null });
    expect<unknown>(data).toEqual([
      {
        id: trade.id,
        mintAddress: mint,
        type: 'sell',
        traderWallet: trade.traderWallet,
        solAmount: '1.5',
        tokenAmount: '3',
        pricePerTokenInSol: '0.5',
        spotPriceInSol: null,
        slot: '123456789012',
        blockTime: trade.blockTime.toISOString(),
        transactionSignature: trade.transactionSignature,
      },
    ]);
  });

  test('of a token without trades are an empty list', async () => {
    const body = await market.json<TradePage>(`/tokens/${await market.launch()}/trades`);
    expect(body).toEqual({
      asOf: expect.any(String),
      data: [],
      page: { hasMore: false, nextCursor: null },
    });
  });

  test('appear on a cached first page as soon as the hint arrives', async () => {
    const mint = await market.launch();
    await market.store([numberedTrade(mint, 1)]);
    const count = async () => (await market.json<TradePage>(`/tokens/${mint}/trades`)).data.length;
    const goOn = stopAgeing(market.api);
    expect(await count()).toBe(1);
    await market.store([numberedTrade(mint, 2)]);
    expect(await count()).toBe(1);
    const { trades } = market.api.dependencies.marketCaches;
    await hintUntilDropped(market.api, hints.tokenChanged, mint, trades);
    await eventually('the reload', async () => (await count()) === 2);
    goOn();
  });

  test('refuse a cursor that is malformed, altered, or of another token', async () => {
    const [mint, other] = [await market.launch(), await market.launch()];
    await market.store([1, 2, 3].map((number) => numberedTrade(mint, number)));
    const { page } = await market.json<TradePage>(`/tokens/${mint}/trades?limit=1`);
    const cursor = page.nextCursor ?? '';
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [
      `${mint}/trades?cursor=x`,
      `${mint}/trades?cursor=${altered}`,
      `${other}/trades?cursor=${cursor}`,
    ])
      await expectProblem(await market.get(`/tokens/${path}`), 'cursor_invalid');
    const listed = await market.json<TradePage>(`/tokens/${mint}/trades?limit=2&cursor=${cursor}`);
    expect(listed.data).toHaveLength(2);
  });
});

describe('holder statistics', () => {
  test.each([
    [42, '77', '20.5'],
    [43, '78', '21.5'],
  ])(
    'are not found until counted, and then agree with the market snapshot: %d',
    async (holderCount, slot, liquidityInSol) => {
      const mint = await market.launch();
      await expectProblem(await market.get(`/tokens/${mint}/holders`), 'holder_stats_not_found');
      const count = { mintAddress: mint, holderCount, slot, asOf: '2026-01-01T00:00:00.000Z' };
      await market.api.dependencies.database.begin((transaction) =>
        storeHolderCounts(transaction, [{ ...count, provenance: 'onchain_snapshot' }]),
      );
      market.dropCaches();
      const stats = await market.json(`/tokens/${mint}/holders`);
      expect(Value.Check(HolderStatsSchema, stats)).toBe(true);
      expect<unknown>(stats).toEqual({ ...count, provenance: 'onchain_snapshot' });
      await market.store([numberedTrade(mint, 1, { liquidityInSol })]);
      market.dropCaches();
      const snapshot = await market.json(`/tokens/${mint}/market`);
      expect(Value.Check(MarketSnapshotSchema, snapshot)).toBe(true);
      expect(snapshot).toMatchObject({ holderCount, liquidityInSol });
    },
  );
});

describe('every market read', () => {
  const paths = [
    'market',
    'trades',
    'trades?limit=7',
    'holders',
    'candles?interval=1d&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
  ];

  test('of a token that is unknown or hidden is 404', async () => {
    const hidden = await market.launch();
    await market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, hidden, true));
    for (const mint of [hidden, newAddress()]) {
      for (const path of paths)
        await expectProblem(await market.get(`/tokens/${mint}/${path}`), 'token_not_found');
    }
  });

  test('without the database is 503 market_data_unavailable', async () => {
    const cut = await startTestApi({ environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } });
    for (const path of paths) {
      await expectProblem(
        await fetch(`${cut.baseUrl}/tokens/${newAddress()}/${path}`),
        'market_data_unavailable',
      );
    }
    await cut.stop();
  });

  test('prints every decimal in its one spelling', async () => {
    const mint = await market.launch();
    await market.store([
      numberedTrade(mint, 1, { solAmount: '0.000000001', tokenAmount: '1000000' }),
      numberedTrade(mint, 2, {
        solAmount: '100',
        spotPriceInSol: '0.000000000000000001',
        liquidityInSol: '10',
      }),
    ]);
    const window = `interval=1d&from=${iso(FIRST_BLOCK_TIME_MS)}&to=${iso(FIRST_BLOCK_TIME_MS + 86_400_000)}`;
    for (const path of ['', '/market', '/trades', `/candles?${window}`]) {
      const texts = decimalsIn(await market.json(`/tokens/${mint}${path}`));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((text) => !isCanonicalDecimal(text))).toEqual([]);
    }
    const snapshot = await market.json<{ marketCapInSol: string }>(`/tokens/${mint}/market`);
    expect(snapshot.marketCapInSol).toBe('0.000000001000000000000001');
  });
});
