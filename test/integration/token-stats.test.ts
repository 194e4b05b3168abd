import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findOverview } from '../../src/features/market/overview/find-overview.ts';
import { MarketOverviewSchema } from '../../src/features/market/overview/schema.ts';
import { storeOverview } from '../../src/features/market/overview/store-overview.ts';
import type { Trade } from '../../src/features/market/schema.ts';
import { findStatsOfTokens } from '../../src/features/market/stats/find-token-stats.ts';
import { TokenStatsSchema, type WindowStats } from '../../src/features/market/stats/schema.ts';
import { statsWindows, windowMinutes, windowStart } from '../../src/features/market/stats/windows.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  normaliseDecimal,
  subtractDecimals,
} from '../../src/shared/decimal.ts';
import { paidPriceOf } from '../support/api/candle-client.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { FIRST_BLOCK_TIME_MS, tradesOf } from '../support/market/market-arbitraries.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';

const MINTS = ['So11111111111111111111111111111111111111112', 'SysvarC1ock11111111111111111111111111111111'];
const WALLETS = ['SysvarRent111111111111111111111111111111111', ...MINTS];
const TRADER_TABLES = ['token_traders', 'trader_bases', 'trader_recounts'] as const;
const MINUTE_MS = 60_000;
const ZERO = normaliseDecimal('0');
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

async function resetMarket(): Promise<void> {
  const outbox = createOutbox(
    { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
    systemClock,
  );
  await emptyTables(db, 'tokens', 'events', 'reverted_trades', ...TRADER_TABLES);
  for (const mintAddress of MINTS) {
    const token = { mintAddress, creatorWallet: mintAddress, name: 'n', symbol: 's', decimals: 6 };
    const terms = { totalSupply: '1', launchType: 'dbc', status: 'bonding' } as const;
    await db.begin((sql) => upsertToken(sql, outbox, systemClock, { ...token, ...terms }));
  }
}

/** Trades of a few wallets within some thirty hours, in any order of their block times. */
const marketTrades = tradesOf(MINTS, 40).chain((trades) =>
  fc
    .array(
      fc.record({
        traderWallet: fc.constantFrom(...WALLETS),
        seconds: fc.oneof(
          fc.integer({ min: 0, max: 30 * 3_600 }),
          // Most windows are short: some trades lie close together, at their edges.
          fc.integer({ min: 30 * 60 - 8, max: 30 * 60 + 8 }).map((minutes) => minutes * 60),
        ),
      }),
      { minLength: trades.length, maxLength: trades.length },
    )
    .map((changes) =>
      trades.map((trade, at) => {
        const { traderWallet = '', seconds = 0 } = changes[at] ?? {};
        return { ...trade, traderWallet, blockTime: new Date(FIRST_BLOCK_TIME_MS + seconds * 1_000) };
      }),
    ),
);

async function allTrades(mint: string): Promise<{ asOf: Date; trades: Trade[] }> {
  const trades: Trade[] = [];
  let page = await listTrades(db, mint, { limit: 7 });
  for (;;) {
    if (page === null) throw new Error('no token');
    trades.push(...page.items);
    if (page.next === null) return { asOf: page.asOf, trades };
    page = await listTrades(db, mint, { limit: 7, after: page.next });
  }
}

const price = (trade: Trade | undefined) =>
  trade === undefined ? null : ((trade.spotPriceInSol ?? paidPriceOf(trade)) as DecimalString | null);
const pricesOf = (trades: readonly Trade[]) => trades.flatMap((trade) => price(trade) ?? []);

/** The figures of a window as its definition says, from trades that are newest first in chain order. */
function recomputed(trades: readonly Trade[], asOf: Date, minutes: number): WindowStats {
  const fromMs = (Math.floor(asOf.getTime() / MINUTE_MS) - minutes + 1) * MINUTE_MS;
  const timeOf = ({ blockTime }: Trade) => Date.parse(blockTime);
  const inWindow = trades.filter((trade) => timeOf(trade) >= fromMs);
  const before = trades.filter((trade) => timeOf(trade) < fromMs && price(trade) !== null);
  const lastMinute = Math.max(...before.map((trade) => Math.floor(timeOf(trade) / MINUTE_MS)));
  const previous = before.find((trade) => Math.floor(timeOf(trade) / MINUTE_MS) === lastMinute);
  const prices = pricesOf(inWindow);
  const open = price(previous) ?? prices.at(-1) ?? null;
  const close = prices[0] ?? open;
  prices.sort(compareDecimals);
  const of = (type: Trade['type']) => inWindow.filter((trade) => trade.type === type);
  const wallets = (side: readonly Trade[]) => new Set(side.map(({ traderWallet }) => traderWallet)).size;
  const sum = (side: readonly Trade[], key: 'solAmount' | 'tokenAmount') =>
    side.reduce((total, trade) => addDecimals(total, trade[key] as DecimalString), ZERO);
  return {
    from: new Date(fromMs).toISOString(),
    tradeCount: inWindow.length,
    buyCount: of('buy').length,
    sellCount: of('sell').length,
    buyerCount: wallets(of('buy')),
    sellerCount: wallets(of('sell')),
    volumeInSol: sum(inWindow, 'solAmount'),
    volumeInToken: sum(inWindow, 'tokenAmount'),
    buyVolumeInSol: sum(of('buy'), 'solAmount'),
    sellVolumeInSol: sum(of('sell'), 'solAmount'),
    open,
    high: prices.at(-1) ?? open,
    low: prices[0] ?? open,
    close,
    priceChangePercent: open === null || close === null ? null : changePercent(open, close),
  };
}

function changePercent(open: DecimalString, close: DecimalString): string | null {
  if (open === ZERO) return null;
  const isFall = compareDecimals(close, open) < 0;
  const difference = isFall ? subtractDecimals(open, close) : subtractDecimals(close, open);
  const units = (text: DecimalString) =>
    BigInt(`${text}.`.split('.')[0] + (text.split('.')[1] ?? '').padEnd(60, '0'));
  const millionths = (units(difference) * 100_000_000n) / units(open);
  if (millionths === 0n) return '0';
  const digits = millionths.toString().padStart(7, '0');
  const text = normaliseDecimal(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
  return isFall ? `-${text}` : text;
}

describe('statistics of a token', () => {
  const histories = marketTrades.chain((trades) =>
    fc.record({
      trades: fc.constant(trades),
      shuffled: fc.shuffledSubarray([...trades, ...trades.slice(0, 5)], { minLength: trades.length }),
      reverted: fc.subarray(trades, { maxLength: Math.min(8, trades.length) }),
      provenSeconds: fc.option(fc.integer({ min: 0, max: 31 * 3_600 })),
      batchSize: fc.integer({ min: 1, max: 10 }),
    }),
  );

  test('are those of its listed trades at `asOf`, traders too, after late trades and reversals', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ shuffled, reverted, provenSeconds, batchSize }) => {
        await resetMarket();
        await storeInBatches(shuffled, batchSize);
        const reversals = reverted.map(({ id, slot }) => ({ tradeId: id, slot }));
        await db.begin((sql) => storeReversals(sql, reversals, new Date()));
        await prove(provenSeconds);
        await expectRecomputed();
      }),
      { numRuns: 12 },
    );
  });
});

describe('the overview of the platform', () => {
  test('adds up the trades of visible tokens, their wallets once each, in the windows of `asOf`', async () => {
    const runs = fc.record({
      trades: marketTrades,
      reverted: fc.nat({ max: 5 }),
      provenSeconds: fc.integer({ min: 0, max: 31 * 3_600 }),
      isSecondHidden: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ trades, reverted, provenSeconds, isSecondHidden }) => {
        await resetMarket();
        await storeInBatches(trades, 10);
        const reversals = trades.slice(0, reverted).map(({ id, slot }) => ({ tradeId: id, slot }));
        await db.begin((sql) => storeReversals(sql, reversals, new Date()));
        const asOf = new Date(FIRST_BLOCK_TIME_MS + provenSeconds * 1_000);
        await db`update stream_progress set proven_through = ${asOf}`;
        await db`update tokens set hidden = ${isSecondHidden} where mint_address = ${MINTS[1] ?? ''}`;
        await db`update tokens set status = 'graduated', graduated_at = ${new Date(asOf.getTime() - 600_000)}
          where mint_address = ${MINTS[0] ?? ''}`;
        const visible = isSecondHidden ? MINTS.slice(0, 1) : MINTS;
        const counted = (await Promise.all(visible.map(allTrades))).flatMap((listed) => listed.trades);
        expect(await storeOverview(asWorker(db), 0)).toBe(true);
        const overview = await findOverview(db);
        expect(Value.Check(MarketOverviewSchema, overview)).toBe(true);
        expect(overview?.asOf).toBe(asOf.toISOString());
        expect(overview?.tokens).toMatchObject({
          total: visible.length,
          byStatus: { graduated: 1, bonding: visible.length - 1 },
        });
        for (const window of statsWindows) {
          const from = windowStart(window, asOf);
          const inWindow = counted.filter(({ blockTime }) => Date.parse(blockTime) >= from.getTime());
          const buyCount = inWindow.filter(({ type }) => type === 'buy').length;
          expect(overview?.windows[window]).toEqual({
            from: from.toISOString(),
            tradeCount: inWindow.length,
            buyCount,
            sellCount: inWindow.length - buyCount,
            volumeInSol: inWindow.reduce(
              (total, { solAmount }) => addDecimals(total, solAmount as DecimalString),
              ZERO,
            ),
            tradedTokenCount: new Set(inWindow.map(({ mintAddress }) => mintAddress)).size,
            traderCount: new Set(inWindow.map(({ traderWallet }) => traderWallet)).size,
            graduationCount: window === '5m' ? 0 : 1,
          });
        }
      }),
      { numRuns: 8 },
    );
  });

  test('is computed by one worker at a time, and not before its pause is over', async () => {
    await db`update market_overview set as_of = null, computed_at = null, body = null`;
    expect(await findOverview(db)).toBeNull();
    const worker = asWorker(db);
    expect(await storeOverview(worker, 60_000)).toBe(true);
    expect(await storeOverview(worker, 60_000)).toBe(false);
    await db.begin(async (other) => {
      await other`select from market_overview for update`;
      expect(await storeOverview(worker, 0)).toBe(false);
    });
    expect(await storeOverview(worker, 0)).toBe(true);
  });
});

async function storeInBatches(trades: readonly IndexedTrade[], size: number): Promise<void> {
  for (let at = 0; at < trades.length; at += size)
    await db.begin((sql) => storeTrades(sql, trades.slice(at, at + size)));
}

async function prove(seconds: number | null): Promise<void> {
  if (seconds === null) return;
  const through = new Date(FIRST_BLOCK_TIME_MS + seconds * 1_000);
  await db`insert into source_proofs (mint_address, through, slot) values (${MINTS[0] ?? ''}, ${through}, 1)`;
}

async function expectRecomputed(): Promise<void> {
  const found = await findStatsOfTokens(db, MINTS);
  for (const mint of MINTS) {
    const stats = found.get(mint);
    const { asOf, trades } = await allTrades(mint);
    expect(Value.Check(TokenStatsSchema, stats)).toBe(true);
    expect(stats?.asOf).toBe(asOf.toISOString());
    for (const window of statsWindows)
      expect({ window, ...stats?.windows[window] }).toEqual({
        window,
        ...recomputed(trades, asOf, windowMinutes[window]),
      });
  }
}
