import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { candleIntervals } from '../../src/db/schema/trades.ts';
import { CandlesSchema } from '../../src/features/market/schema.ts';
import { intervalMs } from '../../src/indexer/market/fold-candles.ts';
import { candlesOf, decimalsIn, isCanonicalDecimal } from '../support/candle-client.ts';
import { newAddress } from '../support/ingest-stream.ts';
import { iso, type MarketApi, startMarketApi } from '../support/market-api.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade, tradesOf } from '../support/market-arbitraries.ts';
import { expectProblem } from '../support/problems.ts';

interface CandleBody {
  from: string;
  to: string;
  asOf: string;
  data: { openTime: string; close: string; tradeCount: number; closed: boolean }[];
}

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

describe('candles', () => {
  const candles = (mint: string, query: string) => market.get(`/tokens/${mint}/candles?${query}`);

  test('of all six intervals are what a client makes of the listed trades, whatever order those were stored in', async () => {
    const mint = await market.launch();
    const hours = 3_600_000;
    const [from, to] = [iso(FIRST_BLOCK_TIME_MS - 24 * hours), iso(FIRST_BLOCK_TIME_MS + 16 * hours)];
    const streams = tradesOf([mint], 40).chain((trades) =>
      fc.tuple(fc.shuffledSubarray(trades, { minLength: trades.length }), fc.integer({ min: 1, max: 15 })),
    );
    await fc.assert(
      fc.asyncProperty(streams, async ([trades, batchSize]) => {
        await market.api.dependencies.database`truncate trades, candles, reverted_trades`;
        market.dropCaches();
        for (let at = 0; at < trades.length; at += batchSize)
          await market.store(trades.slice(at, at + batchSize));
        const listed = await market.allTrades(mint, 17);
        expect(listed).toHaveLength(trades.length);
        for (const interval of candleIntervals) {
          // 40 hours of minutes are more than a response holds.
          const start = interval === '1m' ? iso(FIRST_BLOCK_TIME_MS - 6 * hours) : from;
          const end = interval === '1m' ? iso(FIRST_BLOCK_TIME_MS + 10.5 * hours) : to;
          const response = await candles(mint, `from=${start}&to=${end}&interval=${interval}`);
          const body = (await response.json()) as CandleBody;
          expect(Value.Check(CandlesSchema, body)).toBe(true);
          expect<unknown>(body.data).toEqual(candlesOf(listed, intervalMs[interval], start, end, body.asOf));
          expect(decimalsIn({ listed, body }).filter((text) => !isCanonicalDecimal(text))).toEqual([]);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('fill gaps from before the window, start with the first trade and end at asOf', async () => {
    const mint = await market.launch();
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const at = (minutes: number) => new Date(minute - minutes * 60_000);
    await market.store([
      numberedTrade(mint, 1, { blockTime: at(30) }),
      numberedTrade(mint, 2, { blockTime: at(3), solAmount: '6' }),
    ]);
    const query = `interval=1m&from=${at(10).toISOString()}&to=${at(-60).toISOString()}`;
    const { data, asOf } = (await (await candles(mint, query)).json()) as CandleBody;
    expect(data[0]).toMatchObject({
      openTime: at(10).toISOString(),
      close: '0.5',
      tradeCount: 0,
      closed: true,
    });
    expect(data.at(-1)?.openTime).toBe(iso(Math.floor(Date.parse(asOf) / 60_000) * 60_000));
    expect(data.at(-1)).toMatchObject({ close: '2', closed: false });
    expect(data.slice(0, -1).every(({ closed }) => closed)).toBe(true);
    expect(data.map(({ tradeCount }) => tradeCount).reduce((sum, count) => sum + count)).toBe(1);
    const early = `interval=1m&from=${at(40).toISOString()}&to=${at(28).toISOString()}`;
    const first = (await (await candles(mint, early)).json()) as CandleBody;
    expect(first.data.map(({ openTime }) => openTime)).toEqual(
      [at(30), at(29)].map((time) => time.toISOString()),
    );
    const future = `interval=1d&from=2100-01-01T00:00:00Z&to=2101-01-01T00:00:00%2B01:00`;
    const none = (await (await candles(mint, future)).json()) as CandleBody;
    expect(none).toMatchObject({
      data: [],
      from: '2100-01-01T00:00:00.000Z',
      to: '2100-12-31T23:00:00.000Z',
    });
  });

  test('of a trade that the chain dates ahead of our clock are listed', async () => {
    const mint = await market.launch();
    const blockTime = new Date(Date.now() + 90_000);
    await market.store([numberedTrade(mint, 1, { blockTime })]);
    const query = `interval=1m&from=${iso(Date.now() - 60_000)}&to=${iso(Date.now() + 600_000)}`;
    const { data, asOf } = (await (await candles(mint, query)).json()) as CandleBody;
    expect(asOf).toBe(blockTime.toISOString());
    expect(data.map(({ tradeCount }) => tradeCount)).toEqual([1]);
  });

  test.each([
    ['the same instant', 'from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&interval=1m'],
    ['a reversed window', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z&interval=1d'],
    ['1,001 buckets', 'from=2026-01-01T00:00:00Z&to=2026-01-01T16:41:00Z&interval=1m'],
    ['years beyond RFC 3339', 'from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59-10:00&interval=1h'],
  ])('refuse %s before looking for the token', async (_what, query) => {
    await expectProblem(await candles(newAddress(), query), 'market_time_range_invalid');
  });

  test('serve exactly 1,000 buckets, and the ends of the calendar', async () => {
    const mint = await market.launch();
    await market.store([numberedTrade(mint, 1, { blockTime: new Date(FIRST_BLOCK_TIME_MS) })]);
    const query = 'from=2026-01-01T00:00:00Z&to=2026-01-01T16:40:00Z&interval=1m';
    expect(((await (await candles(mint, query)).json()) as CandleBody).data).toHaveLength(1_000);
    for (const window of [
      'from=0000-01-01T00:00:00Z&to=0000-01-02T00:00:00Z',
      'from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59Z',
    ])
      expect((await candles(mint, `${window}&interval=1d`)).status).toBe(200);
  });

  test('name what is wrong with a query', async () => {
    const mint = await market.launch();
    const body = await expectProblem(await candles(mint, 'from=yesterday&interval=2m'), 'validation_failed');
    expect(body.errors?.map(({ path }) => path).sort()).toEqual([
      '/query/from',
      '/query/interval',
      '/query/to',
    ]);
  });
});
