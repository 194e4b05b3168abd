import type { Database } from '../../db/client.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { holdableRead, type PublicWait, type Route, type RouteDefinition } from '../../http/route.ts';
import type { ChangeMarks } from '../../http/waits/change-marks.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { parseInstant } from '../../shared/instant.ts';
import { Problem } from '../../shared/problem.ts';
import { type CandleWindow, judgeWindow } from './candle-window.ts';
import {
  type ChainMarketRouteDependencies,
  chainMarketDefinitions,
  chainMarketRoutes,
} from './chain-routes.ts';
import { findHolderStats } from './find-holder-stats.ts';
import { findMarketSnapshot } from './find-market-snapshot.ts';
import { listCandles } from './list-candles.ts';
import { listFilteredTrades, type TradeFilter } from './list-filtered-trades.ts';
import { listTrades, type TradePosition } from './list-trades.ts';
import {
  type CandleList,
  CandleQuery,
  CandlesSchema,
  type HolderStats,
  HolderStatsSchema,
  type MarketSnapshot,
  MarketSnapshotSchema,
  TradeQuery,
  type Trades,
  TradesSchema,
} from './schema.ts';
import { type TraderRouteDependencies, traderDefinitions, traderRoutes } from './traders/routes.ts';

export interface MarketRouteDependencies extends ChainMarketRouteDependencies, TraderRouteDependencies {
  publicDatabase: Database;
  cursors: Cursors;
  marketCaches: MarketCaches;
  /** Hints by mint, for the caches that expire only by age. */
  marketChanges: ChangeMarks;
}

/** Pre-serialised reads. Those without a comment have the mint as key, and are dropped when its market changes. */
export interface MarketCaches {
  snapshots: SerialisedCache<MarketSnapshot>;
  /** First pages by mint, dropped with it: of the default length, which pollers request, and of any length for waiting clients. */
  trades: SerialisedCache<Trades>;
  /** All other pages, by position and signature: concurrent requests share a load. */
  furtherTrades: SerialisedCache<Trades>;
  /** Pages with filters, by all of them; expires only by age. */
  filteredTrades: SerialisedCache<Trades>;
  holders: SerialisedCache<HolderStats>;
  /** By window; expires only by age. */
  candles: SerialisedCache<CandleList>;
}

/** Properties of every read in this file. */
const marketRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 1,
  params: MintPath,
  waitable: true,
  responseHeaders: ['Preference-Applied'],
  unavailable: 'market_data_unavailable',
} as const;

const getTokenMarketSnapshot = {
  ...marketRead,
  id: 'getTokenMarketSnapshot',
  path: '/tokens/:mint/market',
  summary: 'Market of a token',
  description:
    'An unknown price is null, never `0`. `asOf` is the time up to which the token’s trades are proven to be complete. `liquidityInSol` is the quote side of the pool without unclaimed fees.',
  response: MarketSnapshotSchema,
  problems: ['token_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

const listTokenCandles = {
  ...marketRead,
  id: 'listTokenCandles',
  path: '/tokens/:mint/candles',
  summary: 'Price bars of a token',
  description:
    'Oldest first, without gaps: a bucket without trades repeats the previous close. A window holds the buckets that open from `from` on and before `to`, at most 1,000. `asOf` is the time up to which the token’s trades are proven to be complete; it is not the current time. A candle is `closed` when it ends before `asOf`, and no flat candle follows `asOf`. The trades of `listTokenTrades` add up to exactly these bars.',
  ratePolicy: 'public-read-expensive',
  query: CandleQuery,
  response: CandlesSchema,
  problems: ['token_not_found', 'market_time_range_invalid', 'market_data_unavailable'],
} satisfies RouteDefinition;

/** Filters for which a page walks through trades that do not match. */
const FILTERS = ['traderWallet', 'type', 'minSolAmount', 'from', 'to'] as const;

const listTokenTrades = {
  ...marketRead,
  id: 'listTokenTrades',
  path: '/tokens/:mint/trades',
  summary: 'Trades of a token',
  description:
    'Newest first. `solAmount` is what the trader paid or received, including fees; `pricePerTokenInSol` is this amount divided by `tokenAmount`. All trades before `asOf` are listed, and newer ones as far as they were read. With `signature`, only the trades of that transaction. `traderWallet`, `type`, `minSolAmount`, `from` and `to` may be combined; a page with them may hold fewer trades than `limit` while `hasMore` is true, and counts as five requests.',
  query: TradeQuery,
  rateCost: (query) => (FILTERS.some((name) => query.has(name)) ? 5 : 1),
  response: TradesSchema,
  problems: ['cursor_invalid', 'market_time_range_invalid', 'token_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

const getTokenHolderStats = {
  ...marketRead,
  id: 'getTokenHolderStats',
  path: '/tokens/:mint/holders',
  summary: 'Holder count of a token',
  description:
    'The latest count that was indexed. `slot` and `asOf` say when it was counted, `provenance` is its source.',
  response: HolderStatsSchema,
  problems: ['token_not_found', 'holder_stats_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

export const marketDefinitions: readonly RouteDefinition[] = [
  getTokenMarketSnapshot,
  listTokenCandles,
  listTokenTrades,
  getTokenHolderStats,
  ...chainMarketDefinitions,
  ...traderDefinitions,
];

const DEFAULT_LIMIT: number = paginationFields.limit.default;

/** The hints of a token concern all its market data. */
const ofToken = { recordOf: ({ params }: { params: { mint: string } }) => params.mint };

export function marketRoutes(dependencies: MarketRouteDependencies): Route[] {
  const { publicDatabase: database, marketCaches } = dependencies;
  return [
    holdableRead(getTokenMarketSnapshot, ofToken, (reader) => {
      const { mint } = reader.params;
      return marketCaches.snapshots.requireReplicated(
        reader,
        mint,
        (replica) => findMarketSnapshot(replica ?? database, mint),
        'token_not_found',
      );
    }),
    candlesRoute(dependencies),
    tradesRoute(dependencies),
    holdableRead(getTokenHolderStats, ofToken, (reader) => {
      const { mint } = reader.params;
      return marketCaches.holders.requireReplicated(
        reader,
        mint,
        (replica) => findHolderStats(replica ?? database, mint),
        'token_not_found',
      );
    }),
    ...chainMarketRoutes(dependencies),
    ...traderRoutes(dependencies),
  ];
}

interface JudgedWindow {
  window: CandleWindow;
  /** Equal for equal windows of one kind of price, however they were written. */
  key: string;
}

function candlesRoute({
  publicDatabase: database,
  marketCaches,
  marketChanges,
}: MarketRouteDependencies): Route {
  const wait: PublicWait<{ params: { mint: string }; query: { to: string } }> = {
    ...ofToken,
    // Every candle of the window is closed: hints need not load it again.
    isFinal: ({ query }, { asOfMs }) => asOfMs !== undefined && asOfMs >= parseInstant(query.to).getTime(),
  };
  // A query that comes again is the same object.
  const judged = new WeakMap<object, JudgedWindow>();
  return holdableRead(listTokenCandles, wait, (reader) => {
    const {
      params: { mint },
      query,
    } = reader;
    let known = judged.get(query);
    if (known === undefined) {
      const window = judgeWindow(query.interval, query.from, query.to);
      known = { window, key: JSON.stringify([window, query.price]) };
      judged.set(query, known);
    }
    const { window } = known;
    const key = `${mint} ${reader.freshness === 'current' ? marketChanges.of(mint) : ''} ${known.key}`;
    const load = (replica: Database | null) => listCandles(replica ?? database, mint, window, query.price);
    // Who waits was woken by a change that a replica may lack.
    return reader.freshness === 'current'
      ? marketCaches.candles.require(reader, key, () => load(null), 'token_not_found')
      : marketCaches.candles.requireReplicated(reader, key, load, 'token_not_found');
  });
}

function tradesRoute(dependencies: MarketRouteDependencies): Route {
  const { publicDatabase: database, cursors, marketCaches, marketChanges } = dependencies;
  const wait: PublicWait<{ params: { mint: string }; query: { cursor?: string } }> = {
    // A page after a cursor is history.
    recordOf: ({ params, query }) => (query.cursor === undefined ? params.mint : null),
  };
  return holdableRead(listTokenTrades, wait, (reader) => {
    const {
      params: { mint },
      query,
    } = reader;
    const { signature } = query;
    const filter = filterOf(query);
    const filters = [...(signature === undefined ? [] : [signature]), ...(filter === null ? [] : [filter])];
    const page = requestedPage<TradePosition>(cursors, query, [listTokenTrades.id, mint, ...filters], 5);
    const { after, limit } = page;
    if (filter !== null) {
      const mark = reader.freshness === 'current' ? marketChanges.of(mint) : undefined;
      const key = JSON.stringify([mint, limit, after, ...filters, mark]);
      const walk = async () => {
        const trades = await listFilteredTrades(database, mint, { after, limit, signature, filter });
        return trades && { asOf: trades.asOf.toISOString(), ...page.toBody(trades) };
      };
      return marketCaches.filteredTrades.require(reader, key, walk, 'token_not_found');
    }
    const load = async (replica: Database | null) => {
      const trades = await listTrades(replica ?? database, mint, { after, limit, signature });
      return trades && { asOf: trades.asOf.toISOString(), ...page.toBody(trades) };
    };
    // Pages after a cursor and reads that wait: a replica may lack what was shown or announced.
    const fromPrimary = () => load(null);
    if (signature !== undefined) {
      const key = JSON.stringify([mint, limit, after, signature]);
      return marketCaches.furtherTrades.require(reader, key, fromPrimary, 'token_not_found');
    }
    if (after === undefined && limit === DEFAULT_LIMIT)
      return marketCaches.trades.requireReplicated(reader, mint, load, 'token_not_found');
    if (after === undefined && reader.freshness === 'current') {
      const key = JSON.stringify([mint, limit, marketChanges.of(mint)]);
      return marketCaches.trades.require(reader, key, fromPrimary, 'token_not_found');
    }
    const key = JSON.stringify([mint, limit, after]);
    return marketCaches.furtherTrades.require(reader, key, fromPrimary, 'token_not_found');
  });
}

/** The filters of a request beyond its signature; null without any. Throws `market_time_range_invalid`. */
function filterOf({ traderWallet, type, minSolAmount, from, to }: TradeFilter): TradeFilter | null {
  const filter = { traderWallet, type, minSolAmount, from, to };
  if (FILTERS.every((name) => filter[name] === undefined)) return null;
  if (from !== undefined && to !== undefined && parseInstant(from) >= parseInstant(to))
    throw new Problem('market_time_range_invalid', {
      detail: '`from` must be before `to`.',
      context: { reason: 'empty' },
    });
  return filter;
}
