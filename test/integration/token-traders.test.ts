import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { dropExpiredPartitions, makePartitions } from '../../src/db/partitions.ts';
import { chainPosition, type IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { recountQueuedTraders } from '../../src/indexer/store/recount-traders.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { numberedTrade, tradesOf } from '../support/market/market-arbitraries.ts';
import { storeBondingToken } from '../support/market/stored-token.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';

const MINTS = [newAddress(), newAddress()];
const WALLETS = [newAddress(), newAddress(), newAddress()];
const NOW = new Date('2026-11-01T00:00:00Z');
let db: Database;
let worker: Database;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
});

async function reset(): Promise<void> {
  await emptyTables(db, 'tokens', 'token_traders', 'trader_bases', 'trader_recounts', 'reverted_trades');
  for (const mint of MINTS) await storeBondingToken(db, mint);
}

/** Trades of some wallets over three ranges of slots that retention drops as a whole. */
const manyTrades = (maxLength: number) =>
  fc
    .tuple(
      tradesOf(MINTS, maxLength),
      fc.array(fc.constantFrom(...WALLETS), { minLength: maxLength, maxLength }),
    )
    .map(([trades, wallets]) =>
      trades.map((trade, at) => ({
        ...trade,
        slot: trade.slot * 1_300_000n,
        traderWallet: wallets[at] ?? '',
      })),
    );

const scaled = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(30, '0').slice(0, 30));
};
/** A quotient of two amounts of 30 digits, cut after 18. */
const cut = (value: bigint) => (value / 10n ** 12n) * 10n ** 12n;

/** The rules of decisions/0076 over all trades of a pair, in whole numbers of 10^-30. */
function recomputed(trades: readonly IndexedTrade[]) {
  const inOrder = [...trades].sort((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1));
  const sum = {
    bought: 0n,
    boughtSol: 0n,
    sold: 0n,
    soldSol: 0n,
    soldCost: 0n,
    uncovered: 0n,
    uncoveredSol: 0n,
  };
  let held = 0n;
  let cost = 0n;
  for (const { type, solAmount, tokenAmount } of inOrder) {
    const [sol, token] = [scaled(solAmount), scaled(tokenAmount)];
    if (type === 'buy') {
      sum.bought += token;
      sum.boughtSol += sol;
      held += token;
      cost += sol;
      continue;
    }
    const covered = token < held ? token : held;
    const taken = covered === held ? cost : cut((cost * covered) / held);
    sum.sold += token;
    sum.soldSol += sol;
    sum.soldCost += taken;
    sum.uncovered += token - covered;
    sum.uncoveredSol += covered === 0n ? sol : cut((sol * (token - covered)) / token);
    held -= covered;
    cost -= taken;
  }
  const times = (of: readonly IndexedTrade[]) => of.map(({ blockTime }) => blockTime.getTime());
  const ofType = (type: IndexedTrade['type']) => inOrder.filter((trade) => trade.type === type);
  return {
    counts: [ofType('buy').length, ofType('sell').length],
    ...sum,
    realised: sum.soldSol - sum.uncoveredSol - sum.soldCost,
    firstAt: Math.min(...times(inOrder)),
    lastAt: Math.max(...times(inOrder)),
    lastBuyAt: ofType('buy').length === 0 ? null : Math.max(...times(ofType('buy'))),
    lastSellAt: ofType('sell').length === 0 ? null : Math.max(...times(ofType('sell'))),
    lastPosition: chainPosition(inOrder.at(-1) as IndexedTrade),
  };
}

function expectedTraders(trades: readonly IndexedTrade[]) {
  const groups = Map.groupBy(trades, ({ mintAddress, traderWallet }) => `${mintAddress} ${traderWallet}`);
  return new Map([...groups].map(([pair, group]) => [pair, recomputed(group)]));
}

async function storedTraders() {
  const rows = await db`select * from token_traders`;
  const signed = (text: string) => (text.startsWith('-') ? -scaled(text.slice(1)) : scaled(text));
  return new Map(
    rows.map((row) => [
      `${row.mintAddress} ${row.traderWallet}`,
      {
        counts: [row.buyCount, row.sellCount],
        bought: scaled(row.boughtToken),
        boughtSol: scaled(row.boughtInSol),
        sold: scaled(row.soldToken),
        soldSol: scaled(row.soldInSol),
        soldCost: scaled(row.soldCostInSol),
        uncovered: scaled(row.uncoveredToken),
        uncoveredSol: scaled(row.uncoveredInSol),
        realised: signed(row.realisedInSol),
        firstAt: row.firstTradeAt.getTime(),
        lastAt: row.lastTradeAt.getTime(),
        lastBuyAt: row.lastBuyAt?.getTime() ?? null,
        lastSellAt: row.lastSellAt?.getTime() ?? null,
        lastPosition: row.lastPosition,
      },
    ]),
  );
}

const store = (trades: readonly IndexedTrade[]) => worker.begin((sql) => storeTrades(sql, trades));
const revert = (trades: readonly IndexedTrade[]) =>
  worker.begin((sql) =>
    storeReversals(
      sql,
      trades.map(({ id, slot }) => ({ tradeId: id, slot })),
      NOW,
    ),
  );

async function work(): Promise<void> {
  while (await recountQueuedTraders(worker));
}

describe('the traders of a token', () => {
  test('are the fold of their trades in chain order, however those come, come again, and are taken back', async () => {
    const stories = manyTrades(40).chain((trades) =>
      fc.record({
        trades: fc.constant(trades),
        arrivals: fc.shuffledSubarray([...trades, ...trades.slice(0, 5)], { minLength: trades.length }),
        batch: fc.integer({ min: 1, max: 12 }),
        reverted: fc.subarray(trades),
        revertedAt: fc.integer({ min: 0, max: 40 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(stories, async ({ trades, arrivals, batch, reverted, revertedAt }) => {
        await reset();
        const all = [...arrivals, ...trades];
        for (let at = 0; at < all.length; at += batch) {
          if (at <= revertedAt && revertedAt < at + batch) await revert(reverted);
          await store(all.slice(at, at + batch));
        }
        await revert(reverted);
        await work();
        expect(await storedTraders()).toEqual(
          expectedTraders(trades.filter((trade) => !reverted.includes(trade))),
        );
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test('keep what retention has dropped, and fold what comes late after it', async () => {
    const stories = fc.tuple(manyTrades(40), fc.subarray([...Array(40).keys()]));
    await fc.assert(
      fc.asyncProperty(stories, async ([trades, lateOnes]) => {
        await reset();
        await db`delete from trade_floor`;
        const floor = 10_000_000n;
        const isLate = (trade: IndexedTrade, at: number) => trade.slot >= floor && lateOnes.includes(at);
        const inOrder = [...trades].sort((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1));
        const late = inOrder.filter(isLate);
        for (const trade of inOrder.filter((one, at) => !isLate(one, at))) await store([trade]);
        await db`delete from trades where slot < ${floor.toString()}::int8`;
        await db`insert into trade_floor (slot) values (${floor.toString()}::int8)`;
        for (const trade of late) await store([trade]);
        await work();
        // Sums are exact in any case; the cost too, unless a trade came later than a range of slots after its own.
        const sums = (traders: Map<string, ReturnType<typeof recomputed>>) =>
          [...traders]
            .map(([pair, { counts, bought, boughtSol, sold, soldSol, lastBuyAt, lastPosition }]) =>
              [pair, counts, bought, boughtSol, sold, soldSol, lastBuyAt, lastPosition].join(),
            )
            .sort();
        expect(sums((await storedTraders()) as never)).toEqual(sums(expectedTraders(trades)));
        await db`delete from trade_floor`;
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('count a late trade in the slot of the base once, also when its pair waits in the queue', async () => {
    await reset();
    const [mint = ''] = MINTS;
    // More pairs than one transaction computes again.
    const wallets = Array.from({ length: 201 }, newAddress);
    const of = (slot: bigint, transactionIndex: number) =>
      wallets.map((traderWallet, at) => ({
        ...numberedTrade(mint, Number(slot) * 10_000 + transactionIndex * 1_000 + at, {
          slot,
          transactionIndex,
        }),
        traderWallet,
      }));
    // The first one is dropped. The base ends in the middle of a slot.
    const inOrder = [of(9_000_000n, 0), of(11_000_000n, 1), of(21_000_000n, 0)];
    for (const trades of inOrder) await store(trades);
    await db`delete from trades where slot < 10000000`;
    await db`insert into trade_floor (slot) values (10000000)`;
    const late = [...of(11_000_000n, 0), ...of(11_000_000n, 2)];
    await store(late);
    const again = of(10_500_000n, 0);
    await store(again);
    await work();
    await db`delete from trade_floor`;
    expect(await storedTraders()).toEqual(expectedTraders([...inOrder.flat(), ...late, ...again]));
  });

  test('keep the late trade of a pair that waits in the queue, when a newer trade of it is taken back', async () => {
    await reset();
    const [mint = ''] = MINTS;
    const wallets = Array.from({ length: 201 }, newAddress);
    const at = (slot: number) =>
      wallets.map((traderWallet, number) => ({
        ...numberedTrade(mint, slot * 1_000 + number, { slot: BigInt(slot) }),
        traderWallet,
      }));
    const [first, newer, late] = [at(100), at(120), at(50)];
    for (const trades of [first, newer, late]) await store(trades);
    const waiting = await db<{ traderWallet: string }[]>`select trader_wallet from trader_recounts`;
    expect(waiting).toHaveLength(1);
    const reverted = newer.filter(({ traderWallet }) => traderWallet === waiting[0]?.traderWallet);
    await revert(reverted);
    await work();
    const remaining = newer.filter((trade) => !reverted.includes(trade));
    expect(await storedTraders()).toEqual(expectedTraders([...first, ...remaining, ...late]));
  });

  test('begin again at the first trade of a pair, when one comes late below the end of a step', async () => {
    await reset();
    const [mint = ''] = MINTS;
    const [traderWallet = ''] = WALLETS;
    const at = (slot: number, transactionIndex = 0) => ({
      ...numberedTrade(mint, slot * 10 + transactionIndex, { slot: BigInt(slot), transactionIndex }),
      traderWallet,
    });
    const newest = at(9_000);
    // More trades than one step looks at.
    const late = Array.from({ length: 2_100 }, (_, number) => at(50 + number));
    const later = at(60, 1);
    for (const trades of [[newest], late, [later]]) await store(trades);
    await work();
    expect(await storedTraders()).toEqual(expectedTraders([newest, ...late, later]));
  });

  test('let retention wait while a queued pair needs the trades, but for no more than a week', async () => {
    await reset();
    const [mint = ''] = MINTS;
    const now = new Date();
    const blockTime = new Date(now.getTime() - 40 * 86_400_000);
    const wallets = Array.from({ length: 201 }, newAddress);
    const at = (slot: number) =>
      wallets.map((traderWallet, number) => ({
        ...numberedTrade(mint, slot * 1_000 + number, { slot: BigInt(slot), blockTime }),
        traderWallet,
      }));
    const drop = async (keepDays: number): Promise<string[]> => {
      const { changed, isBusy } = await dropExpiredPartitions(worker, 'trades', now, keepDays);
      return isBusy ? [...changed, ...(await drop(keepDays))] : changed;
    };
    for (const slot of [11_000_000n, 21_000_000n]) while ((await makePartitions(worker, slot)).isBusy);
    const trades = [at(9_000_000), at(11_000_000), at(5_000), at(21_000_000)];
    for (const batch of trades) await store(batch);
    expect(await drop(35)).toEqual([]);
    await work();
    expect(await drop(35)).toEqual(['trades_0m', 'trades_10m']);
    expect(await storedTraders()).toEqual(expectedTraders(trades.flat()));

    await store(at(31_000_000));
    await db`insert into trader_recounts (mint_address, trader_wallet, from_slot) values (${mint}, ${mint}, 21000000)`;
    expect(await drop(35)).toEqual([]);
    expect(await drop(32)).toEqual(['trades_20m']);
  });
});
