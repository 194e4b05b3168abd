import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import type { Cursors } from '../../http/cursor.ts';
import { type Operation, publicRead, type Route } from '../../http/operation.ts';
import { requestedPage } from '../../http/pages.ts';
import { paginationFields } from '../../http/pagination.ts';
import type { SerialisedCache } from '../../http/serialised-cache.ts';
import { judgeWindow } from './candle-window.ts';
import {
  type ChainMarketRouteDependencies,
  chainMarketOperations,
  chainMarketRoutes,
} from './chain-routes.ts';
import { findHolderStats } from './find-holder-stats.ts';
import { findMarketSnapshot } from './find-market-snapshot.ts';
import { listCandles } from './list-candles.ts';
import { listTrades, type TradePosition } from './list-trades.ts';
import {
  CandleQuery,
  CandlesSchema,
  HolderStatsSchema,
  MarketSnapshotSchema,
  MintPath,
  TradesSchema,
} from './schema.ts';

export interface MarketRouteDependencies extends ChainMarketRouteDependencies {
  database: Database;
  cursors: Cursors;
  marketCaches: MarketCaches;
}

/** Pre-serialised reads. All but `candles` and `furtherTrades` have the mint as key and are dropped when its market changes. */
export interface MarketCaches {
  snapshots: SerialisedCache;
  /** First pages of the default length: what pollers ask for. */
  trades: SerialisedCache;
  /** All other pages, by position: one load for all who ask at once. */
  furtherTrades: SerialisedCache;
  holders: SerialisedCache;
  /** By window; left to age. */
  candles: SerialisedCache;
}

/** What every read of this feature has in common. */
const marketRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 1,
  params: MintPath,
  unavailable: 'market_data_unavailable',
} as const;

const getTokenMarketSnapshot = {
  ...marketRead,
  id: 'getTokenMarketSnapshot',
  path: '/tokens/:mint/market',
  summary: 'Price, market cap, liquidity and holders of a token',
  description:
    'An unknown price is null, never `0`. `asOf` is the time through which the token’s trades are proven to be read. `liquidityInSol` is the quote side of the pool without unclaimed fees.',
  response: MarketSnapshotSchema,
  problems: ['token_not_found', 'market_data_unavailable'],
} satisfies Operation;

const listTokenCandles = {
  ...marketRead,
  id: 'listTokenCandles',
  path: '/tokens/:mint/candles',
  summary: 'Price bars of a token',
  description:
    'Oldest first, without holes: a bucket without trades repeats the previous close. A window holds the buckets that open in it, `from` included and `to` not; at most 1,000. `asOf` is the time through which the token’s trades are proven to be read, not the clock: a candle is `closed` once it has passed, and no flat candle is drawn behind it. Fold `listTokenTrades` and you get exactly these bars.',
  ratePolicy: 'public-read-expensive',
  query: CandleQuery,
  response: CandlesSchema,
  problems: ['token_not_found', 'market_time_range_invalid', 'market_data_unavailable'],
} satisfies Operation;

const listTokenTrades = {
  ...marketRead,
  id: 'listTokenTrades',
  path: '/tokens/:mint/trades',
  summary: 'Trades of a token, newest first',
  description:
    'Newest first. `solAmount` is what the trader paid or received, fees counted; `pricePerTokenInSol` is that divided by `tokenAmount`. All trades before `asOf` are listed, and newer ones as far as they have been read.',
  query: Type.Object(paginationFields),
  response: TradesSchema,
  problems: ['cursor_invalid', 'token_not_found', 'market_data_unavailable'],
} satisfies Operation;

const getTokenHolderStats = {
  ...marketRead,
  id: 'getTokenHolderStats',
  path: '/tokens/:mint/holders',
  summary: 'The latest indexed holder count, with its source',
  description: '`slot` and `asOf` say when holders were counted, `provenance` says how.',
  response: HolderStatsSchema,
  problems: ['token_not_found', 'holder_stats_not_found', 'market_data_unavailable'],
} satisfies Operation;

export const marketOperations: readonly Operation[] = [
  getTokenMarketSnapshot,
  listTokenCandles,
  listTokenTrades,
  getTokenHolderStats,
  ...chainMarketOperations,
];

const DEFAULT_LIMIT: number = paginationFields.limit.default;

export function marketRoutes(dependencies: MarketRouteDependencies): Route[] {
  const { database, marketCaches } = dependencies;
  return [
    publicRead(getTokenMarketSnapshot, ({ params: { mint } }) =>
      marketCaches.snapshots.require(mint, () => findMarketSnapshot(database, mint), 'token_not_found'),
    ),
    publicRead(listTokenCandles, ({ params: { mint }, query }) => {
      const window = judgeWindow(query.interval, query.from, query.to);
      const key = JSON.stringify([mint, window.interval, window.from, window.to, query.price]);
      const load = () => listCandles(database, mint, window, query.price);
      return marketCaches.candles.require(key, load, 'token_not_found');
    }),
    tradesRoute(dependencies),
    publicRead(getTokenHolderStats, ({ params: { mint } }) =>
      marketCaches.holders.require(mint, () => findHolderStats(database, mint), 'token_not_found'),
    ),
    ...chainMarketRoutes(dependencies),
  ];
}

function tradesRoute({ database, cursors, marketCaches }: MarketRouteDependencies): Route {
  return publicRead(listTokenTrades, ({ params: { mint }, query }) => {
    const page = requestedPage<TradePosition>(cursors, query, [listTokenTrades.id, mint], 5);
    const load = async () => {
      const trades = await listTrades(database, mint, page);
      return trades && { asOf: trades.asOf.toISOString(), ...page.toBody(trades) };
    };
    const { after, limit } = page;
    if (after === undefined && limit === DEFAULT_LIMIT)
      return marketCaches.trades.require(mint, load, 'token_not_found');
    const key = JSON.stringify([mint, limit, after]);
    return marketCaches.furtherTrades.require(key, load, 'token_not_found');
  });
}
