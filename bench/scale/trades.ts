import { listCandles } from '../../src/features/market/list-candles.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findTokenStats } from '../../src/features/market/stats/find-token-stats.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { growthOf } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import { closeSizedDatabases, createSizedDatabases } from './sized-databases.ts';
import { sizesUpTo } from './sizes.ts';
import {
  minuteOfTrade,
  storeTradeRows,
  TRADED_TOKENS,
  TRADES_PER_MINUTE,
  tradeAt,
  tradedMint,
} from './trade-rows.ts';

const SIZES = {
  full: [1_000, 10_000, 100_000, 1_000_000],
  quick: [1_000, 10_000, 50_000],
  shortest: [1_000, 2_000],
};
const TABLES = ['tokens', 'token_markets', 'trades', 'candles'];
const PAGE = 20;
const CANDLES = 40;
const BATCH = 500;
const MINUTE_MS = 60_000;
const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Uncached reads, and ingest, by the number of trades: the store's functions with their prepared statements, one call
 * after the other. The trades belong to ten tokens, so every history grows.
 */
export const tradeScale: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  const environment = await createBenchEnvironment();
  try {
    const sizes = sizesUpTo(options, SIZES);
    const databases = await createSizedDatabases(environment, sizes, 'trade', TABLES, storeTradeRows);
    try {
      const figures = await interleaved(databases, [...reads, ingest], { rounds, roundMs });
      const growth = (figure: string) => growthOf(figures, databases, figure);
      return {
        name: `uncached reads of trades and candles, and ingest; ${TRADED_TOKENS} tokens, pages of ${PAGE}, ${CANDLES} candles, batches of ${BATCH}`,
        figures,
        plot: 'sizes',
        ratios: {
          'growth per tenfold, listTrades, first page': growth('firstPageUs'),
          'growth per tenfold, listTrades, last page': growth('lastPageUs'),
          'growth per tenfold, candles': growth('candlesUs'),
          'growth per tenfold, statistics': growth('statisticsUs'),
          'growth per tenfold, ingest of a trade': growth('ingestTradeUs'),
        },
      };
    } finally {
      await closeSizedDatabases(databases);
    }
  } finally {
    await environment.close();
  }
};

const reads: SizedCall[] = [
  {
    figure: 'firstPageUs',
    on:
      ({ sql }) =>
      async () =>
        requirePage(await listTrades(sql, tradedMint(0), { limit: PAGE })),
  },
  {
    figure: 'lastPageUs',
    on({ sql }) {
      // Just above the trades of which the oldest page is made.
      const after = [String(tradeAt(PAGE * TRADED_TOKENS).slot), '0', '0', '0', ZERO_ID] as const;
      return async () => requirePage(await listTrades(sql, tradedMint(0), { limit: PAGE, after }));
    },
  },
  {
    figure: 'candlesUs',
    on({ sql, size }) {
      const firstOpen = minuteOfTrade((size - CANDLES * TRADES_PER_MINUTE) / 2);
      const endOpen = new Date(firstOpen.getTime() + CANDLES * MINUTE_MS);
      const window = { interval: '1m', from: firstOpen, to: endOpen, firstOpen, endOpen } as const;
      return async () => {
        const list = await listCandles(sql, tradedMint(0), window);
        const traded = list?.data.filter(({ tradeCount }) => tradeCount > 0).length;
        if (traded !== CANDLES) throw new Error(`${traded} candles instead of ${CANDLES}`);
      };
    },
  },
  {
    figure: 'statisticsUs',
    on:
      ({ sql }) =>
      async () => {
        const stats = await findTokenStats(sql, tradedMint(0));
        if (stats?.windows['1h'].buyCount !== stats?.windows['1h'].tradeCount)
          throw new Error('a window without its trades');
      },
  },
];

const ingest: SizedCall = {
  figure: 'ingestTradeUs',
  items: BATCH,
  on({ sql, size }) {
    let next = size;
    return async () => {
      const first = next;
      next += BATCH;
      const trades = Array.from({ length: BATCH }, (_, at) => tradeAt(first + at));
      const { changedMints } = await sql.begin((transaction) => storeTrades(transaction, trades));
      if (changedMints.length !== TRADED_TOKENS) throw new Error('a batch was not stored');
    };
  },
};

function requirePage(page: { items: readonly unknown[] } | null): void {
  if (page?.items.length !== PAGE) throw new Error(`a page of ${page?.items.length} trades`);
}
