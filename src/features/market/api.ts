import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheOptions, CacheRegistry } from '../../http/caches/cache-registry.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { ChainReadCaches } from './chain-routes.ts';
import { findNewestBars, findStreamedBars } from './find-streamed-bars.ts';
import { findNewestTrades, findStreamedTrades } from './find-streamed-trades.ts';
import { type OverviewRouteDependencies, overviewDefinitions, overviewRoutes } from './overview/routes.ts';
import { type MarketCaches, marketDefinitions, marketRoutes } from './routes.ts';
import { findStatsOfTokens } from './stats/find-token-stats.ts';
import { type StatsCaches, statsDefinitions, statsRoutes } from './stats/routes.ts';
import type { TraderCaches } from './traders/routes.ts';

const TOKENS_MAX = 50_000;
// A page of 50 trades is about 25 KB, a window of 1,000 candles about 250 KB: 50 MB each when full.
const TRADE_PAGES_MAX = 2_000;
const CANDLE_WINDOWS_MAX = 200;
// Pages of about 25 and 40 KB, lists of 20 to 60 KB: at most 13, 40 and 60 MB.
const FILTERED_PAGES_MAX = 500;
const WALLET_PAGES_MAX = 500;
const TOP_LISTS_MAX = 500;
// 500 holdings are about 150 KB, a composition about 2 KB: at most 45 and 20 MB.
const HOLDINGS_MAX = 300;
const COMPOSITIONS_MAX = 10_000;
// Statistics of a token are about 2 KB, those of 100 tokens 200 KB: at most 40 MB each.
const STATS_MAX = 20_000;
const STATS_LISTS_MAX = 200;

/** A row or a page by an index, and up to a thousand rows: at most a second old. */
const read = { gate: 'reads', maxAgeMs: 1_000 } as const;
const heavyRead = { gate: 'heavyReads', maxAgeMs: 1_000 } as const;
const ofToken = { drops: { [hints.tokenChanged]: 'key' } } satisfies Partial<CacheOptions>;

export const marketApi = {
  operations: [{ definitions: marketDefinitions, routes: marketRoutes }],
  added: [
    { definitions: statsDefinitions, routes: statsRoutes },
    { definitions: overviewDefinitions, routes: overviewRoutes },
  ],
  open({ caches }: { caches: CacheRegistry }) {
    const marketCaches: MarketCaches = {
      snapshots: caches.open('market.snapshots', { ...read, ...ofToken, entriesMax: TOKENS_MAX }),
      trades: caches.open('market.trades', { ...read, ...ofToken, entriesMax: TRADE_PAGES_MAX }),
      // Concurrent requests share a load, which is never kept: clients page at different times.
      furtherTrades: caches.open('market.furtherTrades', { ...read, maxAgeMs: 0, entriesMax: 2 }),
      filteredTrades: caches.open('market.filteredTrades', { ...heavyRead, entriesMax: FILTERED_PAGES_MAX }),
      holders: caches.open('market.holders', { ...read, ...ofToken, entriesMax: TOKENS_MAX }),
      candles: caches.open('market.candles', { ...heavyRead, entriesMax: CANDLE_WINDOWS_MAX }),
    };
    const statsCaches: StatsCaches = {
      tokens: caches.open('stats.tokens', { ...heavyRead, ...ofToken, entriesMax: STATS_MAX }),
      lists: caches.open('stats.lists', { ...heavyRead, entriesMax: STATS_LISTS_MAX }),
    };
    const overviewCache: OverviewRouteDependencies['overviewCache'] = caches.open('stats.overview', {
      ...read,
      entriesMax: 1,
    });
    const traderCaches: TraderCaches = {
      walletTrades: caches.open('trader.walletTrades', { ...heavyRead, entriesMax: WALLET_PAGES_MAX }),
      positions: caches.open('trader.positions', { ...heavyRead, entriesMax: WALLET_PAGES_MAX }),
      // Adds up to 100,000 balances.
      topHolders: caches.open('trader.topHolders', {
        ...heavyRead,
        maxAgeMs: 5_000,
        entriesMax: TOP_LISTS_MAX,
      }),
      topTraders: caches.open('trader.topTraders', { ...heavyRead, ...ofToken, entriesMax: TOP_LISTS_MAX }),
    };
    const chainReadCaches: ChainReadCaches = {
      // A list that fails costs the nodes the same as one that succeeds.
      holdings: caches.open('chain_read.holdings', {
        gate: 'holdings',
        maxAgeMs: 2_000,
        entriesMax: HOLDINGS_MAX,
        keepsFailures: true,
        keepsOverGap: true,
      }),
      supply: caches.open('chain_read.supply', {
        gate: 'supply',
        maxAgeMs: 2_000,
        staleMaxMs: 1_000,
        entriesMax: COMPOSITIONS_MAX,
        keepsOverGap: true,
        ...ofToken,
      }),
    };
    return { marketCaches, statsCaches, overviewCache, traderCaches, chainReadCaches };
  },
  records: ({ database }: { database: Database }) => ({
    trades: (refs: Parameters<typeof findStreamedTrades>[1]) => findStreamedTrades(database, refs),
    newestTrades: (mints: readonly string[], position: bigint, limit: number) =>
      findNewestTrades(database, mints, position, limit),
    bars: (refs: Parameters<typeof findStreamedBars>[1]) => findStreamedBars(database, refs),
    newestBars: (series: Parameters<typeof findNewestBars>[1]) => findNewestBars(database, series),
    stats: (mints: readonly string[]) => findStatsOfTokens(database, mints),
  }),
} satisfies ApiDoor;
