import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { advisoryLocks } from '../../src/db/advisory-lock.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { takeBack } from '../../src/indexer/finality/compare-finalized.ts';
import { endPosition, type IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeLiquidity } from '../../src/indexer/store/markets.ts';
import { type Reversal, storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { normaliseDecimal, rawToDecimal } from '../../src/shared/decimal.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import {
  FIRST_BLOCK_TIME_MS,
  numberedTrade,
  signatureOf,
  tradesOf,
} from '../support/market/market-arbitraries.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => stream.reset());

function reversalMessage(number: number, changes: Record<string, unknown> = {}) {
  return { transactionSignature: signatureOf(number), outerIndex: 0, innerIndex: 0, ...changes };
}

async function slotsOf(mint: string): Promise<string[]> {
  const page = await listTrades(stream.db, mint, { limit: 100 });
  return page?.items.map(({ slot }) => slot) ?? [];
}

describe('a reverted trade', () => {
  test('leaves trades, candles, price and snapshot as if it had never been', async () => {
    const mint = newAddress();
    await stream.feed('token', tokenMessage(mint));
    await stream.feed('trade', tradeMessage(mint, 1, { spotPriceInSol: '0.5', liquidityInSol: '5' }));
    await stream.feed('trade', tradeMessage(mint, 2, { spotPriceInSol: '0.9', liquidityInSol: '9' }));
    await stream.settle();
    await stream.feed('trade_reverted', reversalMessage(2));
    await stream.settle();
    expect(await slotsOf(mint)).toEqual(['101']);
    expect(await findToken(stream.db, mint)).toMatchObject({
      currentPriceInSol: '0.5',
      solCollectedInSol: '5',
    });
    expect(await findMarketSnapshot(stream.db, mint)).toMatchObject({
      priceInSol: '0.5',
      liquidityInSol: '5',
    });
    const candles = await stream.db`select trade_count, close from candles`;
    expect([...candles]).toEqual(Array(6).fill({ tradeCount: 1, close: '0.5' }));
    await stream.feed('trade_reverted', reversalMessage(1));
    await stream.settle();
    expect(await findToken(stream.db, mint)).toMatchObject({
      currentPriceInSol: null,
      solCollectedInSol: '0',
    });
    expect(await stream.db`select from candles`).toHaveLength(0);
    // A hint for each batch: the two trades come in one or in two.
    expect(stream.changed.length).toBeGreaterThanOrEqual(4);
    expect(new Set(stream.changed)).toEqual(new Set([mint]));
  });

  test('stays away when a late copy comes, and when the reversal comes again', async () => {
    const mint = newAddress();
    await stream.feed('token', tokenMessage(mint));
    await stream.feed('trade', tradeMessage(mint, 1));
    await stream.feed('trade_reverted', reversalMessage(1));
    await stream.settle();
    await stream.feed('trade', tradeMessage(mint, 1));
    await stream.feed('trade_reverted', reversalMessage(1));
    await stream.settle();
    expect(await slotsOf(mint)).toEqual([]);
    expect(await stream.rejections()).toEqual([]);
  });

  test('that comes after its reversal is not stored', async () => {
    const mint = newAddress();
    await stream.feed('token', tokenMessage(mint));
    await stream.feed('trade_reverted', reversalMessage(1, { slot: '101' }));
    await stream.settle();
    await stream.feed('trade', tradeMessage(mint, 1));
    await stream.settle();
    expect(await slotsOf(mint)).toEqual([]);
  });

  test('whose reversal names no slot is waited for', async () => {
    const mint = newAddress();
    await stream.feed('token', tokenMessage(mint));
    await stream.feed('trade_reverted', reversalMessage(1));
    await stream.withWorkers(1, async () => {
      await eventually('asked again', async () => !(await stream.isSettled()));
      await stream.feed('trade', tradeMessage(mint, 1));
      await eventually('settled', () => stream.isSettled());
    });
    expect(await slotsOf(mint)).toEqual([]);
    expect(await stream.rejections()).toEqual([]);
  });

  test('counts again when its transaction lands in another slot, in whatever order the three messages come', async () => {
    const landings = [
      ['trade', 101],
      ['trade_reverted', 101],
      ['trade', 105],
    ] as const;
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    for (const [at, order] of orders.entries()) {
      const mint = newAddress();
      await stream.feed('token', tokenMessage(mint));
      await stream.settle();
      for (const index of order) {
        const [kind, slot] = landings[index] ?? landings[0];
        const number = 1_000 + at;
        const message =
          kind === 'trade'
            ? tradeMessage(mint, number, { slot: String(slot) })
            : reversalMessage(number, { slot: String(slot) });
        await stream.feed(kind, message);
      }
      await stream.settle(2);
      expect(await slotsOf(mint)).toEqual(['105']);
    }
    expect(await stream.rejections()).toEqual([]);
  });
});

test('liquidity that a later transaction without a trade reported stays, unless its own slot was rolled back', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  for (const number of [1, 2, 3])
    await stream.feed('trade', tradeMessage(mint, number, { liquidityInSol: String(number) }));
  await stream.settle();
  const position = endPosition({ slot: 103n, transactionIndex: 9 });
  await storeLiquidity(stream.db, { mintAddress: mint, liquidityInSol: rawToDecimal(7n, 0), position });
  const liquidityAfter = async (gone: number) => {
    await stream.feed('trade_reverted', reversalMessage(gone));
    await stream.settle();
    return String((await findMarketSnapshot(stream.db, mint))?.liquidityInSol);
  };
  expect(await liquidityAfter(2)).toBe('7');
  expect(await liquidityAfter(3)).toBe('1');
});

test('a pool whose newest block was rolled back is read again from its own newest trade before', async () => {
  const [pools, mints] = [
    [newAddress(), newAddress()],
    [newAddress(), newAddress()],
  ] as const;
  for (const [at, poolAddress] of pools.entries()) {
    const mint = mints[at] ?? '';
    await stream.feed('token', tokenMessage(mint, { poolAddress }));
    await stream.feed('trade', tradeMessage(mint, 1 + at, { onCurve: true }));
    await stream.db`
      insert into indexer_cursors (pool_address, last_signature, last_slot, updated_at)
      values (${poolAddress}, 'gone', 5000, now())`;
  }
  await stream.settle();
  const unused = undefined as never;
  const dependencies = { db: stream.db, connection: unused, nodes: unused, now: () => new Date() };
  // No trade that is stored is near that block.
  expect(
    await takeBack(dependencies, {
      poolAddress: pools[0],
      signature: 'gone',
      slot: 5_000n,
      takenBackAt: null,
    }),
  ).toBe(0);
  const cursors = await stream.db`
    select pool_address, last_signature from indexer_cursors where pool_address = any(${[...pools]}) order by last_slot`;
  expect([...cursors]).toEqual([
    { poolAddress: pools[0], lastSignature: signatureOf(1) },
    { poolAddress: pools[1], lastSignature: 'gone' },
  ]);
});

test('trades that wait for a reversal to end hold no token, which the reversal may need', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  const waiting = await stream.db.begin(async (reversal) => {
    await reversal`select pg_advisory_xact_lock(${advisoryLocks.tradeReversal})`;
    // A promise inside an array is not awaited here.
    const stored = [store([numberedTrade(mint, 1)])];
    await untilBlockedBy(reversal, 'the trades wait');
    await reversal`select from tokens where mint_address = ${mint} for update nowait`;
    return stored;
  });
  await Promise.all(waiting);
  expect(await slotsOf(mint)).toEqual(['101']);
});

test('a stored trade keeps whether it was on the curve, as its source reported it', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  for (const [at, onCurve] of [true, false, null].entries())
    await stream.feed('trade', tradeMessage(mint, 1 + at, { onCurve }));
  await stream.settle();
  const rows = await stream.db<{ onCurve: boolean | null }[]>`
    select on_curve from trades where mint_address = ${mint} order by slot`;
  expect(rows.map(({ onCurve }) => onCurve)).toEqual([true, false, null]);
});

test('a reversal of a trade that never comes is rejected after its tries', async () => {
  await stream.feed('trade_reverted', reversalMessage(1));
  await stream.settle(1, 'impatient');
  expect(await stream.rejections()).toMatchObject([
    { reason: 'unknown_trade', subject: 'ingest.trade_reverted' },
  ]);
});

const MINTS = ['So11111111111111111111111111111111111111112', 'SysvarC1ock11111111111111111111111111111111'];
const GRADUATION = new Date(FIRST_BLOCK_TIME_MS + 5 * 3_600_000);

async function emptyMarket(): Promise<void> {
  const { db, context } = stream;
  await emptyTables(db, 'tokens', 'events', 'reverted_trades');
  for (const mintAddress of MINTS) {
    const token = tokenMessage(mintAddress, { status: 'bonding' });
    await db.begin((sql) => upsertToken(sql, context.outbox, context.clock, token as never));
  }
  await db`update tokens set graduated_at = ${GRADUATION} where mint_address = ${MINTS[0] ?? ''}`;
}

const store = (trades: readonly IndexedTrade[]) => stream.db.begin((sql) => storeTrades(sql, trades));
const revert = (reversals: readonly Reversal[]) =>
  stream.db.begin((sql) => storeReversals(sql, reversals, new Date()));

/** Everything that trades decide, but not `as_of`, which never goes back. */
async function wholeMarket() {
  const candles = await stream.db`select * from candles order by mint_address, interval, open_time`;
  const markets = await stream.db`
    select mint_address, price_in_sol, last_position, liquidity_in_sol::float8, sol_collected_in_sol::float8
    from token_markets order by mint_address`;
  const exact = candles.map((row) => ({
    ...row,
    volumeInSol: normaliseDecimal(row.volumeInSol),
    volumeInToken: normaliseDecimal(row.volumeInToken),
    buyVolumeInSol: normaliseDecimal(row.buyVolumeInSol),
    buyVolumeInToken: normaliseDecimal(row.buyVolumeInToken),
  }));
  return { candles: exact, markets: [...markets] };
}

test('after any reversals the market is that of a database which never saw the reverted trades', async () => {
  const streams = fc.boolean().chain((tellsLiquidity) =>
    tradesOf(MINTS, 30).chain((trades) =>
      fc.record({
        trades: fc.constant(
          trades.map((trade, at) => ({
            ...trade,
            liquidityInSol: tellsLiquidity ? rawToDecimal(BigInt(at + 1), 0) : null,
          })),
        ),
        gone: fc.array(fc.boolean(), { minLength: trades.length, maxLength: trades.length }),
        tellsSlot: fc.boolean(),
        reversalFirst: fc.boolean(),
        batchSize: fc.integer({ min: 1, max: 30 }),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(streams, async ({ trades, gone, tellsSlot, reversalFirst, batchSize }) => {
      const reversals = trades
        .filter((_trade, at) => gone[at])
        .map(({ id, slot }) => ({ tradeId: id, slot: tellsSlot ? slot : null }));
      await emptyMarket();
      if (reversalFirst && tellsSlot) await revert(reversals);
      for (let at = 0; at < trades.length; at += batchSize) await store(trades.slice(at, at + batchSize));
      await revert(reversals);
      await revert(reversals);
      const rewritten = await wholeMarket();
      await emptyMarket();
      await store(trades.filter((_trade, at) => !gone[at]));
      expect(rewritten).toEqual(await wholeMarket());
    }),
    { numRuns: 30 },
  );
});
