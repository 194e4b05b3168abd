import type { Database, Transaction } from '../../src/db/client.ts';
import { createOrderMoves } from '../../src/features/orders/move-orders.ts';
import { type IndexedTrade, tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { divideDecimals, normaliseDecimal } from '../../src/shared/decimal.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import type { BenchCase } from '../cases/case.ts';
import { growthOf } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import { type SizedDatabase, withSizedDatabases } from './sized-databases.ts';
import { sizesUpTo } from './sizes.ts';

const SIZES = {
  full: [1_000, 10_000, 100_000, 1_000_000],
  quick: [1_000, 10_000, 50_000],
  shortest: [1_000, 2_000],
};
const BATCH = 100;

/**
 * Ingest by the number of open orders, a hundred of each token: trades of tokens without orders, trades that trigger
 * none of the orders of their tokens, and a trade that triggers one, in a transaction that is rolled back. Every size
 * trades the same number of tokens, with the settings of the worker.
 */
export const orderScale: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  const sizes = sizesUpTo(options, SIZES);
  return withSizedDatabases(
    { sizes, unit: 'order', tables: ORDER_TABLES, fill: storeOrderRows },
    async (databases) => {
      const figures = await interleaved(databases, calls, { rounds, roundMs });
      const growth = (figure: string) => growthOf(figures, databases, figure);
      return {
        name: `ingest with open orders, ${ORDERS_OF_A_TOKEN} of each token; batches of ${BATCH} trades`,
        figures,
        plot: 'sizes',
        ratios: {
          'growth per tenfold, trade of a token without orders': growth('quietTradeUs'),
          'growth per tenfold, trade that triggers none': growth('passingTradeUs'),
          'growth per tenfold, trade that triggers one': growth('triggeringTradeUs'),
        },
      };
    },
  );
};

const outbox = createOutbox({ source: 'http://bench', docsUrl: 'http://bench/docs' }, systemClock);
const moves = createOrderMoves({ outbox, clock: systemClock });

/** Trades of a database so far. */
const counts = new WeakMap<Database, number>();

/** The next trades, spread over some tokens of the whole table. */
function nextTrades(database: SizedDatabase, length: number, mint: (token: number) => string, price: string) {
  const first = counts.get(database.worker) ?? 0;
  counts.set(database.worker, first + length);
  return Array.from({ length }, (_, at) => tradeOf(mint((first + at) % TRADED), first + at, price));
}

/** The traded token with orders at position `token`. */
const ordered =
  ({ size }: SizedDatabase) =>
  (token: number) =>
    orderedMint(Math.floor((token * size) / ORDERS_OF_A_TOKEN / TRADED));

const store = (transaction: Transaction, trades: readonly IndexedTrade[]) =>
  storeTrades(transaction, trades, undefined, moves);

function expectTriggered(triggered: number, expected: number): void {
  if (triggered !== expected) throw new Error(`${triggered} orders were triggered instead of ${expected}`);
}

class Undone extends Error {}

const calls: SizedCall[] = [
  {
    figure: 'quietTradeUs',
    items: BATCH,
    on: (database) => async () => {
      const trades = nextTrades(database, BATCH, quietMint, MARKET_PRICE);
      expectTriggered((await database.worker.begin((sql) => store(sql, trades))).triggered, 0);
    },
  },
  {
    figure: 'passingTradeUs',
    items: BATCH,
    on: (database) => async () => {
      const trades = nextTrades(database, BATCH, ordered(database), MARKET_PRICE);
      expectTriggered((await database.worker.begin((sql) => store(sql, trades))).triggered, 0);
    },
  },
  {
    figure: 'triggeringTradeUs',
    on: (database) => async () => {
      const trades = nextTrades(database, 1, ordered(database), NEAREST_ABOVE);
      let triggered = 0;
      const undone = database.worker.begin(async (sql) => {
        ({ triggered } = await store(
          sql,
          trades.map((trade) => ({ ...trade, spotPriceInSol: null })),
        ));
        throw new Undone();
      });
      await undone.catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
      expectTriggered(triggered, 1);
    },
  },
];

const ORDER_TABLES = ['tokens', 'token_markets', 'orders'];
/** Open orders of a token: half of them above the market's price, half below. */
const ORDERS_OF_A_TOKEN = 100;
/** Tokens that are traded, of those with orders and of those without. */
const TRADED = 10;
/** Price of a trade that triggers no order. */
const MARKET_PRICE = '1';
/** Price of a trade that triggers the one order of its token which waits for the price of a trade there. */
const NEAREST_ABOVE = '1.01';
/** Orders are this far from each other, and the first one as far from the market's price. */
const STEP = 0.01;
const MINT_DIGITS = 44;
const SIGNATURE_DIGITS = 88;
const FIRST_SLOT = 300_000_000;
const WALLET = 'W'.repeat(44);

/** A token with orders. */
const orderedMint = (number: number) => `Ord${digits(number).padStart(MINT_DIGITS - 3, 'B')}`;
/** A token without orders. */
const quietMint = (number: number) => `Qu${digits(number).padStart(MINT_DIGITS - 2, 'B')}`;
const digits = (number: number) => String(number).replaceAll('0', 'A');

/** The trade at position `number` of a database, now. */
function tradeOf(mintAddress: string, number: number, price: string): IndexedTrade {
  const transactionSignature = digits(number).padStart(SIGNATURE_DIGITS, 'B');
  const [solAmount, tokenAmount] = [normaliseDecimal(price), normaliseDecimal('1')];
  return {
    id: tradeId(transactionSignature, 2, 0),
    mintAddress,
    type: 'buy',
    traderWallet: WALLET,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount),
    spotPriceInSol: solAmount,
    liquidityInSol: null,
    onCurve: null,
    slot: BigInt(FIRST_SLOT + number),
    transactionIndex: 0,
    outerIndex: 2,
    innerIndex: 0,
    blockTime: new Date(),
    transactionSignature,
  };
}

/** Stores `count` open orders, a hundred of each token, and tokens without orders. */
async function storeOrderRows(sql: Database, count: number): Promise<void> {
  const { accountId } = await createTestKey(sql, { walletAddress: WALLET });
  const tokens = Math.ceil(count / ORDERS_OF_A_TOKEN);
  const ordered = sql`'Ord' || lpad(replace(n::text, '0', 'A'), ${MINT_DIGITS - 3}::int, 'B')`;
  const quiet = sql`'Qu' || lpad(replace(n::text, '0', 'A'), ${MINT_DIGITS - 2}::int, 'B')`;
  for (const [mint, number] of [
    [ordered, tokens],
    [quiet, TRADED],
  ] as const)
    await sql`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        created_at, updated_at)
      select ${mint}, ${WALLET}, 'Benchmark', 'BENCH', 6, 1000000000, 'dbc', 'bonding', now(), now()
      from generate_series(0, ${number - 1}::int) n`;
  await sql`insert into token_markets (mint_address, as_of) select mint_address, to_timestamp(0) from tokens`;
  const slotId = Bun.randomUUIDv7();
  await sql`
    insert into order_slots (id, account_id, nonce_address, wallet_address, status, nonce, read_slot, due_at, created_at)
    values (${slotId}, ${accountId}, ${WALLET}, ${WALLET}, 'ready', ${WALLET}, 1, now(), now())`;
  await sql.begin(async (transaction) => {
    // Without the checks of its references, one for each row.
    await transaction`set local session_replication_role = replica`;
    await transaction`
      insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
        limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
        created_at, opened_at)
      select md5(at::text)::uuid, ${accountId}::uuid, ${slotId}::uuid, ${WALLET}, ${WALLET}, ${WALLET},
        'Ord' || lpad(replace((at / ${ORDERS_OF_A_TOKEN}::int)::text, '0', 'A'), ${MINT_DIGITS - 3}::int, 'B'), 'sell', 1, 1,
        ${MARKET_PRICE}::numeric + ${STEP}::numeric * (1 + at % ${ORDERS_OF_A_TOKEN}::int / 4) * case when at % 2 = 0 then 1 else -1 end,
        case when at % 2 = 0 then 'at_or_above' else 'at_or_below' end,
        case when at % 4 < 2 then 'trade' else 'spot' end, 'fast', 0, 'open', 2, now() + interval '30 days',
        now() + interval '30 days', now(), now()
      from generate_series(0, ${count - 1}::int) at`;
  });
}
