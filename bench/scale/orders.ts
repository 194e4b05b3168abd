import type { Database, Transaction } from '../../src/db/client.ts';
import { createOrderMoves } from '../../src/features/orders/move-orders.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type BenchCase, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { growthOf } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import {
  MARKET_PRICE,
  NEAREST_ABOVE,
  ORDER_TABLES,
  ORDERS_OF_A_TOKEN,
  orderedMint,
  quietMint,
  storeOrderRows,
  TRADED,
  tradeOf,
} from './order-rows.ts';
import { closeSizedDatabases, createSizedDatabases, type SizedDatabase } from './sized-databases.ts';

const SIZES = {
  full: [1_000, 10_000, 100_000, 1_000_000],
  quick: [1_000, 10_000, 50_000],
  shortest: [1_000, 2_000],
};
const BATCH = 100;

/**
 * Ingest by the number of open orders, a hundred of each token: trades of tokens without orders, trades that trigger none
 * of the orders of their tokens, and a trade that triggers one, in a transaction that is rolled back. Every size trades as many
 * tokens, with the settings of the worker.
 */
export const orderScale: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  const environment = await createBenchEnvironment();
  try {
    const sizes = sized(options, SIZES);
    const databases = await createSizedDatabases(environment, sizes, 'order', ORDER_TABLES, storeOrderRows);
    try {
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
    } finally {
      await closeSizedDatabases(databases);
    }
  } finally {
    await environment.close();
  }
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

/** Token number `token` of those with orders that are traded. */
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
