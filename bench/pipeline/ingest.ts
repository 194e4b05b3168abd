import type { Database } from '../../src/db/client.ts';
import { createOrderMoves } from '../../src/features/orders/move-orders.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type BenchCase, ratio, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { alternate } from '../measurement/rounds.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { benchTrade } from './trade-messages.ts';

const BATCH = 2_000;
const BATCHES = { full: 5, quick: 2, shortest: 1 };
const STORED = 'rows, candles and prices';
const NOT_LOOKING = 'without a look for orders';
const BARE = 'bare insert (limit)';

/**
 * Trades per second into rows, candles and prices, beside the store that does not look for orders, of which there are
 * none. The limit is a bare insert of the same number of rows into a table with one index.
 */
export const ingest: BenchCase = async (options) => {
  const { rounds } = options;
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    await createBenchTokens(database);
    await database`create table bench_trades (like trades including defaults, primary key (id))`;
    const outbox = createOutbox({ source: 'http://bench', docsUrl: 'http://bench/docs' }, systemClock);
    const moves = createOrderMoves({ outbox, clock: systemClock });
    let next = 0;
    const batches = () =>
      Array.from({ length: sized(options, BATCHES) }, () => {
        next += BATCH;
        return readBatch(next - BATCH);
      });
    const figures = await alternate(
      [
        {
          name: STORED,
          run: () =>
            perSecond(batches(), (trades) =>
              database.begin((transaction) => storeTrades(transaction, trades, undefined, moves)),
            ),
        },
        {
          name: NOT_LOOKING,
          run: () =>
            perSecond(batches(), (trades) =>
              database.begin((transaction) => storeTrades(transaction, trades)),
            ),
        },
        { name: BARE, run: () => perSecond(batches(), (trades) => insertBare(database, trades)) },
      ],
      rounds,
    );
    const [{ count } = { count: 0 }] = await database<{ count: number }[]>`
      select (select count(*) from trades)::int + (select count(*) from bench_trades)::int as count`;
    if (count !== next) throw new Error(`${count} of ${next} trades are stored`);
    return {
      name: `trades into the store, batches of ${BATCH}`,
      figures,
      ratios: {
        'store / bare insert': ratio(figures, STORED, BARE, 'tradesPerSecond'),
        'store / without a look for orders': ratio(figures, STORED, NOT_LOOKING, 'tradesPerSecond'),
      },
    };
  } finally {
    await environment.close();
  }
};

async function perSecond(
  batches: readonly IndexedTrade[][],
  store: (trades: IndexedTrade[]) => Promise<unknown>,
): Promise<{ tradesPerSecond: number }> {
  const startedAt = performance.now();
  for (const trades of batches) await store(trades);
  return { tradesPerSecond: (batches.length * BATCH * 1000) / (performance.now() - startedAt) };
}

function readBatch(first: number): IndexedTrade[] {
  return Array.from({ length: BATCH }, (_, at) => benchTrade(first + at));
}

async function insertBare(database: Database, trades: readonly IndexedTrade[]): Promise<void> {
  const column = <Key extends keyof IndexedTrade>(key: Key) => trades.map((trade) => trade[key]);
  await database`
    insert into bench_trades (id, mint_address, type, trader_wallet, sol_amount, token_amount,
      price_per_token_in_sol, slot, transaction_index, outer_index, inner_index, block_time, transaction_signature)
    select * from unnest(${column('id')}::uuid[], ${column('mintAddress')}::text[], ${column('type')}::text[],
      ${column('traderWallet')}::text[], ${column('solAmount')}::numeric[], ${column('tokenAmount')}::numeric[],
      ${column('pricePerTokenInSol')}::numeric[], ${column('slot').map(String)}::int8[],
      ${column('transactionIndex')}::int4[], ${column('outerIndex')}::int4[], ${column('innerIndex')}::int4[],
      ${column('blockTime').map((time) => time.toISOString())}::timestamptz[],
      ${column('transactionSignature')}::text[])`;
}
