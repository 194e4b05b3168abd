import { beforeEach, describe, expect, test } from 'bun:test';
import type { Database, Transaction } from '../../src/db/client.ts';
import { makePartitions, readDefaultPartitionRows } from '../../src/db/partitions.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findSettlementPrice } from '../../src/features/predictions/rounds/find-settlement-price.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { daysAgo, keepAsWorker, partitionsOf } from '../support/database/partitions.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';

/** One partition. */
const SLOTS = 10_000_000n;
const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test/docs' }, systemClock);
let db: Database;
let mint: string;

const addToken = (transaction: Transaction, mintAddress: string) =>
  upsertToken(transaction, outbox, systemClock, {
    ...tokenMessage(mintAddress),
    launchType: 'dbc',
    status: 'bonding',
  });

beforeEach(async () => {
  db = await openDatabase();
  mint = newAddress();
  await db.begin((transaction) => addToken(transaction, mint));
});

const store = (...trades: IndexedTrade[]) =>
  asWorker(db).begin((transaction) => storeTrades(transaction, trades));

/** A trade in partition `bucket`, of that age; the price is its number. */
const tradeIn = (bucket: bigint, number: number, days: number, changes = {}) =>
  numberedTrade(mint, number, {
    slot: bucket * SLOTS + BigInt(number),
    blockTime: daysAgo(days),
    spotPriceInSol: String(number),
    ...changes,
  });

const slots = async () => (await listTrades(db, mint, { limit: 100 }))?.items.map(({ slot }) => BigInt(slot));
const candles = () => db`select * from candles order by interval, open_time`;

describe('a trade', () => {
  test('of an unknown token is refused by the database, in any partition, although no row is checked alone', async () => {
    const [known, late] = [tradeIn(1n, 1, 1), tradeIn(2n, 2, 1)];
    await makePartitions(asWorker(db), 2n * SLOTS);
    await store(known, late);
    const insertAs = (mintAddress: string) => asWorker(db)`
      insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
        transaction_index, outer_index, inner_index, block_time, transaction_signature)
      select gen_random_uuid(), case slot when ${late.slot.toString()}::int8 then ${mintAddress} else mint_address end, type,
        trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot, transaction_index, outer_index, inner_index,
        block_time, transaction_signature
      from trades`;
    const stranger = newAddress();
    await expect(insertAs(stranger)).rejects.toThrow(`trades of an unknown token: ${stranger}`);
    expect(await slots()).toHaveLength(2);
    await insertAs(mint);
    expect(await slots()).toHaveLength(4);
  });

  test('counts once even if it comes again at another slot, across the border of partitions', async () => {
    const first = tradeIn(1n, 1, 1, { slot: SLOTS - 1n });
    const again = { ...first, slot: SLOTS + 1n };
    await makePartitions(asWorker(db), SLOTS);
    const both = await store(first, again);
    expect(await slots()).toEqual([SLOTS - 1n]);
    expect(both.conflicts).toEqual(new Set([again]));
    expect((await store(again)).conflicts).toEqual(new Set([again]));
    expect((await store(first)).conflicts.size).toBe(0);
    expect(await db`select trade_count from candles where interval = '1d'`).toEqual([
      { tradeCount: 1 },
    ] as never);
  });

  test('is listed in chain order over all partitions, page by page', async () => {
    const trades = [3n, 0n, 2n, 1n].flatMap((bucket) =>
      [1, 2, 3].map((number) => tradeIn(bucket, number, 1)),
    );
    await store(...trades.map((trade, at) => ({ ...trade, id: Bun.randomUUIDv7(), outerIndex: at })));
    await makePartitions(asWorker(db), 3n * SLOTS);
    expect(await partitionsOf(db, 'trades')).toEqual(
      [0, 1, 2, 3, 4].map((bucket) => `trades_${bucket * 10}m`),
    );
    const seen: string[] = [];
    let after: Parameters<typeof listTrades>[2]['after'];
    do {
      const page = await listTrades(db, mint, { limit: 5, after });
      seen.push(...(page?.items.map(({ slot }) => slot) ?? []));
      after = page?.next ?? undefined;
    } while (after !== undefined);
    const expected = trades.map(({ slot }) => slot).sort((a, b) => (a < b ? 1 : -1));
    expect(seen).toEqual(expected.map(String));
  });

  test('of an impossible slot is stored, counted, and gets no partition', async () => {
    await store(tradeIn(900n, 1, 1));
    expect((await makePartitions(asWorker(db), null)).changed).toEqual([]);
    expect((await readDefaultPartitionRows(db)).get('trades')).toBe(1);
  });
});

describe('trades older than the retention', () => {
  /** The first bucket is of long ago, the second straddles the border, the third is of now. */
  async function fill(): Promise<void> {
    await store(
      tradeIn(0n, 1, 200, { liquidityInSol: '1' }),
      tradeIn(0n, 2, 190, { liquidityInSol: '2' }),
      tradeIn(0n, 3, 180, { liquidityInSol: '3' }),
    );
    await makePartitions(asWorker(db), 2n * SLOTS);
  }

  test('are kept for ever unless a number of days is given', async () => {
    await fill();
    await store(tradeIn(1n, 4, 100), tradeIn(2n, 5, 1));
    await keepAsWorker(db);
    expect(await slots()).toHaveLength(5);
  });

  test('leave by partition, but for the last of each token; candles and price stay', async () => {
    await fill();
    const other = newAddress();
    await db.begin((transaction) => addToken(transaction, other));
    await store({ ...tradeIn(0n, 9, 185), mintAddress: other });
    await store(tradeIn(1n, 4, 100), tradeIn(2n, 6, 40));
    await store(tradeIn(1n, 5, 50), tradeIn(2n, 7, 1));
    const before = { candles: await candles(), token: await findToken(db, mint) };
    await keepAsWorker(db, { keptDays: { trades: 60 } });
    expect(await slots()).toEqual([2n * SLOTS + 7n, 2n * SLOTS + 6n, SLOTS + 5n, SLOTS + 4n, 3n]);
    expect((await listTrades(db, mint, { limit: 5 }))?.next).toBeNull();
    expect((await listTrades(db, other, { limit: 4 }))?.items).toHaveLength(1);
    expect(await partitionsOf(db, 'trades')).not.toContain('trades_0m');
    expect({ candles: await candles(), token: await findToken(db, mint) }).toEqual(before);
    await keepAsWorker(db, { keptDays: { trades: 30 } });
    // The third one still gives the liquidity, the fifth the price.
    expect(await slots()).toEqual([2n * SLOTS + 7n, 2n * SLOTS + 6n, SLOTS + 5n, 3n]);
    expect(await partitionsOf(db, 'trades')).toContain('trades_before_20m');
  });

  test('change nothing when they come again', async () => {
    await fill();
    await store(tradeIn(1n, 4, 100), tradeIn(2n, 5, 1));
    await keepAsWorker(db, { keptDays: { trades: 60 } });
    const before = { candles: await candles(), token: await findToken(db, mint), slots: await slots() };
    const { changedMints, conflicts } = await store(tradeIn(0n, 1, 200), tradeIn(0n, 3, 180));
    expect({ changedMints, conflicts }).toEqual({ changedMints: [], conflicts: new Set() });
    const reversals = [{ tradeId: tradeIn(0n, 3, 180).id, slot: 3n }];
    await asWorker(db).begin((transaction) => storeReversals(transaction, reversals, new Date()));
    expect({ candles: await candles(), token: await findToken(db, mint), slots: await slots() }).toEqual(
      before,
    );
  });

  test('still give the price to which a reversal returns, and the price by which a round settles', async () => {
    await fill();
    const only = tradeIn(1n, 4, 50, { liquidityInSol: '4' });
    await store(only);
    await keepAsWorker(db, { keptDays: { trades: 40 } });
    expect(await slots()).toEqual([SLOTS + 4n, 3n]);
    expect(await findSettlementPrice(db, mint, daysAgo(120))).toBe('3' as never);
    await asWorker(db).begin((transaction) =>
      storeReversals(transaction, [{ tradeId: only.id, slot: null }], new Date()),
    );
    expect(await findToken(db, mint)).toMatchObject({ currentPriceInSol: '3', solCollectedInSol: '3' });
    expect(await slots()).toEqual([3n]);
  });

  test('stay while one trade of their partition is young, whatever time a later trade claims', async () => {
    await fill();
    await store(tradeIn(0n, 7, 5), tradeIn(1n, 4, 4_000));
    await keepAsWorker(db, { keptDays: { trades: 60 } });
    expect(await slots()).toHaveLength(5);
  });
});
