import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { judgeWindow } from '../../src/features/market/candle-window.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { listCandles } from '../../src/features/market/list-candles.ts';
import { findTokenStats } from '../../src/features/market/stats/find-token-stats.ts';
import { findSettlementPrice } from '../../src/features/predictions/rounds/find-settlement-price.ts';
import { rankTokens } from '../../src/features/tokens/ranking-rows.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeSourceProofs } from '../../src/indexer/store/source-proofs.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { compareDecimals, type DecimalString, rawToDecimal } from '../../src/shared/decimal.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

const MINUTE_MS = 60_000;
const LEAST = { lamports: 100_000n, tokenRaw: 10_000n };
const through = new Date(FIRST_BLOCK_TIME_MS + 45 * 60 * MINUTE_MS + 1);
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

/** A trade in raw units, in some minute. */
interface RawTrade {
  lamports: bigint;
  tokenRaw: bigint;
  /** After the first block. */
  minute: number;
}

const minute = fc.oneof(fc.integer({ min: 0, max: 2_640 }), fc.integer({ min: 2_600, max: 2_640 }));
const real = fc.record({
  lamports: fc.oneof(fc.constant(LEAST.lamports), fc.bigInt({ min: LEAST.lamports, max: 10n ** 12n })),
  tokenRaw: fc.oneof(fc.constant(LEAST.tokenRaw), fc.bigInt({ min: LEAST.tokenRaw, max: 10n ** 15n })),
  minute,
});
/** Too small on one side or on both: at any price, nothing included. */
const dust = fc.oneof(
  fc.record({
    lamports: fc.bigInt({ min: 0n, max: LEAST.lamports - 1n }),
    tokenRaw: fc.oneof(fc.bigInt({ min: 1n, max: 100n }), fc.bigInt({ min: 1n, max: 10n ** 15n })),
    minute,
  }),
  fc.record({
    lamports: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    tokenRaw: fc.bigInt({ min: 1n, max: LEAST.tokenRaw - 1n }),
    minute,
  }),
);
const market = fc.record({
  decimals: fc.constantFrom(0, 2, 6, 9),
  reals: fc.array(real, { maxLength: 8 }),
  dusts: fc.array(dust, { minLength: 1, maxLength: 12 }),
  hasSpot: fc.boolean(),
  batchSize: fc.integer({ min: 1, max: 8 }),
  reverted: fc.nat(),
});

async function launch(decimals: number): Promise<string> {
  const mintAddress = newAddress();
  const outbox = createOutbox(
    { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
    systemClock,
  );
  const names = { name: 'Name', symbol: 'SYM', launchType: 'dbc', status: 'bonding' } as const;
  await db.begin((sql) =>
    upsertToken(sql, outbox, systemClock, {
      mintAddress,
      creatorWallet: newAddress(),
      decimals,
      totalSupply: '1000',
      ...names,
    }),
  );
  return mintAddress;
}

/** Trades of a token in the order of the chain. Dust leaves the price of the pool where it is. */
function tradesOf(
  mint: string,
  decimals: number,
  hasSpot: boolean,
  raws: readonly (RawTrade & { isDust: boolean })[],
): (IndexedTrade & { isDust: boolean })[] {
  let pool: string | undefined;
  return raws
    .toSorted((a, b) => a.minute - b.minute)
    .map(({ lamports, tokenRaw, minute: at, isDust }, number) => {
      const spotPriceInSol = isDust ? pool : rawToDecimal((lamports * 10n ** 9n) / tokenRaw + 1n, 18);
      pool = spotPriceInSol;
      const trade = numberedTrade(mint, number, {
        solAmount: rawToDecimal(lamports, 9),
        tokenAmount: rawToDecimal(tokenRaw, decimals),
        ...(hasSpot && spotPriceInSol !== undefined && { spotPriceInSol }),
        blockTime: new Date(FIRST_BLOCK_TIME_MS + at * MINUTE_MS),
      });
      return { ...trade, isDust };
    });
}

/** Every figure of a token that is a price, or is made of prices. */
async function figures(mint: string) {
  await db.begin((sql) =>
    storeSourceProofs(sql, [{ mintAddress: mint, through: through.toISOString(), slot: '1' }]),
  );
  const [from = '', to = ''] = [FIRST_BLOCK_TIME_MS + 30 * 60 * MINUTE_MS, through.getTime()].map((ms) =>
    new Date(ms).toISOString(),
  );
  // Bars of spot prices have all trades: a tiny one shows the price of the pool, as any other.
  const candles = (['1m', '1h', '1d'] as const).map(async (interval) => {
    const list = await listCandles(db, mint, judgeWindow(interval, from, to));
    return list?.data.map(({ openTime, open, high, low, close }) => [openTime, open, high, low, close]);
  });
  await db.begin((sql) => rankTokens(sql, [mint], through));
  const [ranking] = await db`
    select market_cap_in_sol, price_change_percent_1h from token_rankings where mint_address = ${mint}`;
  const stats = await findTokenStats(db, mint);
  const snapshot = await findMarketSnapshot(db, mint);
  return {
    candles: await Promise.all(candles),
    ranking,
    stats: Object.values(stats?.windows ?? {}).map(({ open, high, low, close, priceChangePercent }) => {
      // A tiny trade may show in a window that the price of the pool is still the one before it, which is true.
      const extremes = [open, high, low].filter((price) => price !== null) as DecimalString[];
      const sorted = extremes.sort(compareDecimals);
      return [open, sorted.at(-1), sorted[0], close, priceChangePercent];
    }),
    price: [snapshot?.priceInSol, snapshot?.marketCapInSol],
    settlements: await Promise.all(
      [0, 1_200, 2_620, 2_700].map((at) =>
        findSettlementPrice(db, mint, new Date(FIRST_BLOCK_TIME_MS + at * MINUTE_MS)),
      ),
    ),
  };
}

describe('trades whose own price is rounding', () => {
  test('leave every figure that is made of prices as it is in a market without them', async () => {
    await fc.assert(
      fc.asyncProperty(market, async ({ decimals, reals, dusts, hasSpot, batchSize, reverted }) => {
        const [clean, dusty] = [await launch(decimals), await launch(decimals)];
        const marked = reals.map((one) => ({ ...one, isDust: false }));
        const mixed = [...marked, ...dusts.map((one) => ({ ...one, isDust: true }))];
        const trades = tradesOf(dusty, decimals, hasSpot, mixed);
        const backwards = trades.toReversed();
        for (let at = 0; at < backwards.length; at += batchSize)
          await db.begin((sql) => storeTrades(sql, backwards.slice(at, at + batchSize)));
        await db.begin((sql) => storeTrades(sql, tradesOf(clean, decimals, hasSpot, marked)));
        const expected = await figures(clean);
        expect(await figures(dusty)).toEqual(expected);
        const gone = trades.filter(({ isDust }) => isDust)[reverted % dusts.length];
        if (gone === undefined) return expect.unreachable();
        await db.begin((sql) =>
          storeReversals(sql, [{ tradeId: gone.id, slot: gone.slot }], systemClock.now()),
        );
        expect(await figures(dusty)).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });
});
