import type { Database } from '../../src/db/client.ts';
import { listCandles } from '../../src/features/market/list-candles.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findTokenStats } from '../../src/features/market/stats/find-token-stats.ts';
import { type IndexedTrade, tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import type { BenchCase } from '../cases/case.ts';
import { growthOf } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import { withSizedDatabases } from './sized-databases.ts';
import { sizesUpTo } from './sizes.ts';

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
  const sizes = sizesUpTo(options, SIZES);
  return withSizedDatabases(
    { sizes, unit: 'trade', tables: TABLES, fill: storeTradeRows },
    async (databases) => {
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
    },
  );
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

/** Tokens that share the trades evenly: with more trades each has a longer history. */
const TRADED_TOKENS = 10;
const MINT_DIGITS = 44;
const SIGNATURE_DIGITS = 88;
const FIRST_SLOT = 300_000_000;
const FIRST_MS = Date.UTC(2020, 0, 1);
/** Trades in a minute: two per token, and so per candle. */
const TRADES_PER_MINUTE = 2 * TRADED_TOKENS;
const TRADE_EVERY_MS = MINUTE_MS / TRADES_PER_MINUTE;

function tradedMint(number: number): string {
  return String(number % TRADED_TOKENS)
    .replaceAll('0', 'A')
    .padStart(MINT_DIGITS, 'B');
}

/** Start of the minute of a trade. */
function minuteOfTrade(number: number): Date {
  const atMs = FIRST_MS + number * TRADE_EVERY_MS;
  return new Date(Math.floor(atMs / MINUTE_MS) * MINUTE_MS);
}

/** Trade number `number`: those of `storeTradeRows`, and newer ones after them. */
function tradeAt(number: number): IndexedTrade {
  const transactionSignature = String(number).replaceAll('0', 'A').padStart(SIGNATURE_DIGITS, '5');
  return {
    id: tradeId(transactionSignature, 2, 0),
    mintAddress: tradedMint(number),
    type: 'buy',
    traderWallet: tradedMint(number),
    solAmount: normaliseDecimal('1.5'),
    tokenAmount: normaliseDecimal('3'),
    pricePerTokenInSol: normaliseDecimal('0.5'),
    spotPriceInSol: null,
    liquidityInSol: null,
    onCurve: null,
    slot: BigInt(FIRST_SLOT + number),
    transactionIndex: 0,
    outerIndex: 2,
    innerIndex: 0,
    blockTime: new Date(FIRST_MS + number * TRADE_EVERY_MS),
    transactionSignature,
  };
}

/** Stores tokens, the first `count` trades and their candles below a day with few statements instead of the indexer. */
async function storeTradeRows(sql: Database, count: number): Promise<void> {
  for (let token = 0; token < TRADED_TOKENS; token += 1) {
    const mint = tradedMint(token);
    await sql`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        created_at, updated_at)
      values (${mint}, ${mint}, 'Benchmark', 'BENCH', 6, 1000000000, 'dbc', 'bonding', now(), now())`;
  }
  await sql`insert into token_markets (mint_address, as_of) select mint_address, to_timestamp(0) from tokens`;
  await sql`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
      transaction_index, outer_index, inner_index, block_time, transaction_signature)
    select md5(number::text)::uuid, mint, 'buy', mint, 1.5, 3, 0.5, ${FIRST_SLOT}::int8 + number, 0, 2, 0,
      to_timestamp(${FIRST_MS / 1000}::float8 + number * ${TRADE_EVERY_MS / 1000}::float8),
      lpad(replace(number::text, '0', 'A'), ${SIGNATURE_DIGITS}, '5')
    from generate_series(0, ${count - 1}::int) as number,
      lateral (select lpad(replace((number % ${TRADED_TOKENS}::int)::text, '0', 'A'), ${MINT_DIGITS}, 'B') as mint) as m
    order by number`;
  await sql`
    insert into candles (mint_address, interval, open_time, open, high, low, close, volume_in_sol, volume_in_token,
      trade_count, open_position, close_position, paid_open_position, paid_close_position, market_high, market_low,
      buy_count, buy_volume_in_sol, buy_volume_in_token)
    select mint_address, name, date_bin(length, block_time, 'epoch'), 0.5, 0.5, 0.5, 0.5, sum(sol_amount),
      sum(token_amount), count(*), lpad(min(slot)::text, 20, '0'), lpad(max(slot)::text, 20, '0'),
      lpad(min(slot)::text, 20, '0'), lpad(max(slot)::text, 20, '0'), 0.5, 0.5, count(*), sum(sol_amount), sum(token_amount)
    from trades cross join (values ('1m', interval '1 minute'), ('5m', interval '5 minutes'),
      ('15m', interval '15 minutes'), ('1h', interval '1 hour'), ('4h', interval '4 hours')) as i (name, length)
    group by 1, 2, 3`;
}
