import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { candleIntervals } from '../../src/db/values/trades.ts';
import { CandlesSchema, type Trade } from '../../src/features/market/schema.ts';
import { intervalMs } from '../../src/indexer/market/fold-candles.ts';
import { candlesOf, decimalsIn, isCanonicalDecimal } from '../support/api/candle-client.ts';
import { iso, type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade, tradesOf } from '../support/market/market-arbitraries.ts';

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

  test('of all six intervals equal the bars that a client folds from the listed trades, in any order of storage', async () => {
    const mint = await market.launch();
    const hours = 3_600_000;
    const [from, to] = [iso(FIRST_BLOCK_TIME_MS - 24 * hours), iso(FIRST_BLOCK_TIME_MS + 16 * hours)];
    const cases = [false, true].flatMap((isProven) =>
      (['trade', 'spot'] as const).flatMap((price) =>
        candleIntervals.map((interval) => [interval, price, isProven] as const),
      ),
    );
    const streams = tradesOf([mint], 40).chain((trades) =>
      fc.tuple(fc.shuffledSubarray(trades, { minLength: trades.length }), fc.integer({ min: 1, max: 15 })),
    );
    await fc.assert(
      fc.asyncProperty(streams, async ([trades, batchSize]) => {
        await emptyTables(
          market.api.dependencies.database,
          'trades',
          'candles',
          'reverted_trades',
          'source_proofs',
        );
        market.dropCaches();
        for (let at = 0; at < trades.length; at += batchSize)
          await market.store(trades.slice(at, at + batchSize));
        const listed = await market.allTrades(mint, 17);
        expect(listed).toHaveLength(trades.length);
        const spotOf = new Map(trades.map(({ id, spotPriceInSol }) => [id, spotPriceInSol]));
        const prices = { trade: {}, spot: { priceOf: ({ id }: Trade) => spotOf.get(id) ?? null } };
        const provenThrough = iso(FIRST_BLOCK_TIME_MS + 3 * hours + 1);
        for (const [interval, price, isProven] of cases) {
          if (isProven) await market.prove(mint, new Date(provenThrough));
          market.dropCaches();
          // 40 hours of minutes are more than a response holds.
          const start = interval === '1m' ? iso(FIRST_BLOCK_TIME_MS - 6 * hours) : from;
          const end = interval === '1m' ? iso(FIRST_BLOCK_TIME_MS + 10.5 * hours) : to;
          const response = await candles(mint, `from=${start}&to=${end}&interval=${interval}&price=${price}`);
          const body = (await response.json()) as CandleBody;
          expect(Value.Check(CandlesSchema, body)).toBe(true);
          const newest = listed[0]?.blockTime ?? '';
          expect(body.asOf).toBe(isProven ? provenThrough : newest);
          const rules = { ...prices[price], provenThrough: isProven ? provenThrough : null };
          expect<unknown>(body.data).toEqual(
            candlesOf(listed, intervalMs[interval], start, end, body.asOf, rules),
          );
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
    await market.prove(mint, new Date(minute + 30_000));
    const query = `interval=1m&from=${at(10).toISOString()}&to=${at(-60).toISOString()}`;
    const { data, asOf } = (await (await candles(mint, query)).json()) as CandleBody;
    expect(data[0]).toMatchObject({
      openTime: at(10).toISOString(),
      close: '0.5',
      tradeCount: 0,
      closed: true,
    });
    expect(asOf).toBe(iso(minute + 30_000));
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

  test('of a stalled source end where its proof ends, and no later bar is closed', async () => {
    const mint = await market.launch();
    const start = Date.parse('2026-01-01T00:00:00Z');
    const at = (seconds: number) => new Date(start + seconds * 1_000);
    await market.store([numberedTrade(mint, 1, { blockTime: at(10) })]);
    const query = `interval=1m&from=${iso(start)}&to=${iso(start + 600_000)}`;
    const read = async () => {
      market.dropCaches();
      const { data, asOf } = (await (await candles(mint, query)).json()) as CandleBody;
      return { asOf, closed: data.map(({ closed }) => closed) };
    };
    expect(await read()).toEqual({ asOf: iso(start + 10_000), closed: [false] });
    await market.prove(mint, at(119));
    expect(await read()).toEqual({ asOf: iso(start + 119_000), closed: [true, false] });
    // A trade of the third minute is stored, but earlier trades may still be missing.
    await market.store([numberedTrade(mint, 2, { blockTime: at(150) })]);
    expect(await read()).toEqual({ asOf: iso(start + 119_000), closed: [true, false] });
    await market.prove(mint, at(60));
    expect(await read()).toEqual({ asOf: iso(start + 119_000), closed: [true, false] });
    await market.prove(mint, at(180));
    expect(await read()).toEqual({ asOf: iso(start + 180_000), closed: [true, true, true, false] });
    const snapshot = await market.json<{ asOf: string }>(`/tokens/${mint}/market`);
    const trades = await market.json<{ asOf: string }>(`/tokens/${mint}/trades`);
    expect([snapshot.asOf, trades.asOf]).toEqual([iso(start + 180_000), iso(start + 180_000)]);
  });

  test('at the price of the pool begin with the first trade that has it, and keep the volume of all trades', async () => {
    const mint = await market.launch();
    const start = Date.parse('2026-01-02T00:00:00Z');
    const trade = (number: number, minutes: number, spotPriceInSol?: string) =>
      numberedTrade(mint, number, {
        blockTime: new Date(start + minutes * 60_000),
        ...(spotPriceInSol === undefined ? {} : { spotPriceInSol }),
      });
    await market.store([trade(1, 0), trade(2, 1, '0.3'), trade(3, 1, '0.2'), trade(4, 2), trade(5, 4, '0')]);
    await market.prove(mint, new Date(start + 300_000));
    const query = `interval=1m&from=${iso(start)}&to=${iso(start + 300_000)}&price=spot`;
    const { data } = (await (await candles(mint, query)).json()) as {
      data: { open: string; high: string; close: string; volumeInSol: string }[];
    };
    expect(data.map(({ open, high, close, volumeInSol }) => [open, high, close, volumeInSol])).toEqual([
      ['0.3', '0.3', '0.2', '3'],
      ['0.2', '0.2', '0.2', '1.5'],
      ['0.2', '0.2', '0.2', '0'],
      ['0.2', '0.2', '0.2', '1.5'],
    ]);
    const later = `interval=1m&from=${iso(start + 180_000)}&to=${iso(start + 240_000)}&price=spot`;
    expect(((await (await candles(mint, later)).json()) as CandleBody).data).toMatchObject([
      { close: '0.2', tradeCount: 0 },
    ]);
    await expectProblem(await candles(mint, `${query}ish`), 'validation_failed');
  });

  test('of a trade whose chain time is ahead of our clock are listed', async () => {
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
  ])('refuse %s before looking for the token', async (_what, query) => {
    await expectProblem(await candles(newAddress(), query), 'market_time_range_invalid');
  });

  test('serve exactly 1,000 buckets, and the ends of the calendar', async () => {
    const mint = await market.launch();
    await market.store([numberedTrade(mint, 1, { blockTime: new Date(FIRST_BLOCK_TIME_MS) })]);
    await market.prove(mint, new Date());
    const query = 'from=2026-01-01T00:00:00Z&to=2026-01-01T16:40:00Z&interval=1m';
    expect(((await (await candles(mint, query)).json()) as CandleBody).data).toHaveLength(1_000);
    for (const window of [
      'from=0001-01-01T00:00:00Z&to=0001-01-02T00:00:00Z',
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
