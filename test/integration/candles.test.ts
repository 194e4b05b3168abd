import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { type Candle, foldCandles } from '../../src/indexer/market/fold-candles.ts';
import { chainPosition, type IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type DecimalString, normaliseDecimal } from '../../src/shared/decimal.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { countedPrice, tokensOf, tradesOf } from '../support/market/market-arbitraries.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

const MINTS = ['So11111111111111111111111111111111111111112', 'SysvarC1ock11111111111111111111111111111111'];
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

async function resetMarket(): Promise<void> {
  const outbox = createOutbox(
    { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
    systemClock,
  );
  await emptyTables(db, 'tokens', 'events');
  for (const mintAddress of MINTS) {
    const token = { mintAddress, creatorWallet: mintAddress, name: 'n', symbol: 's', decimals: 6 };
    await db.begin((sql) =>
      upsertToken(sql, outbox, systemClock, {
        ...token,
        totalSupply: '1',
        launchType: 'dbc',
        status: 'bonding',
      }),
    );
  }
}

async function storedCandles(): Promise<Candle[]> {
  const rows = await db<Candle[]>`
    select mint_address, interval, open_time, open, high, low, close, volume_in_sol, volume_in_token, trade_count,
      open_position, close_position, spot_open, spot_high, spot_low, spot_close, spot_open_position,
      spot_close_position, paid_open_position, paid_close_position, market_high, market_low, buy_count, buy_volume_in_sol, buy_volume_in_token
    from candles`;
  const volumes = ['volumeInSol', 'volumeInToken', 'buyVolumeInSol', 'buyVolumeInToken'] as const;
  const prices = [
    'open',
    'high',
    'low',
    'close',
    'marketHigh',
    'marketLow',
    'spotOpen',
    'spotHigh',
    'spotLow',
    'spotClose',
  ] as const;
  const orNull = (text: string | null) => (text === null ? null : normaliseDecimal(text));
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(volumes.map((key) => [key, normaliseDecimal(row[key])])),
    ...Object.fromEntries(prices.map((key) => [key, orNull(row[key])])),
  }));
}

const bucketKey = (candle: Candle) => `${candle.mintAddress} ${candle.interval} ${candle.openTime.getTime()}`;
const sorted = (candles: readonly Candle[]) =>
  [...candles].sort((a, b) => (bucketKey(a) < bucketKey(b) ? -1 : 1));

function lastPriced(trades: readonly IndexedTrade[], mint: string): DecimalString | null {
  const prices = [...trades]
    .filter((trade) => trade.mintAddress === mint)
    .sort((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1))
    .flatMap((trade) => trade.spotPriceInSol ?? countedPrice(trade) ?? []);
  return prices.at(-1) ?? null;
}

test('stored candles, prices and sums are the fold of all trades, however those are shuffled, batched and repeated', async () => {
  const streams = tradesOf(MINTS, 30).chain((trades) =>
    fc.record({
      trades: fc.constant(trades),
      shuffled: fc.shuffledSubarray([...trades, ...trades.slice(0, 5)], { minLength: trades.length }),
      batchSize: fc.integer({ min: 1, max: 10 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(streams, async ({ trades, shuffled, batchSize }) => {
      await resetMarket();
      const all = [...shuffled, ...trades];
      for (let at = 0; at < all.length; at += batchSize) {
        await db.begin((sql) => storeTrades(sql, all.slice(at, at + batchSize)));
      }
      expect(sorted(await storedCandles())).toEqual(sorted(foldCandles(trades, tokensOf(MINTS))));
      for (const mint of MINTS) {
        const [market] = await db`
          select price_in_sol, sol_collected_in_sol =
            (select coalesce(sum(case type when 'buy' then sol_amount else -sol_amount end), 0)
             from trades where mint_address = ${mint}) as is_sum
          from token_markets where mint_address = ${mint}`;
        const price = market?.priceInSol === null ? null : normaliseDecimal(market?.priceInSol);
        expect(price).toBe(lastPriced(trades, mint));
        expect(market?.isSum).toBe(true);
      }
    }),
    { numRuns: 25 },
  );
});
