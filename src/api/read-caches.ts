import type { ClaimableFeesPage } from '../features/fees/claimable/schema.ts';
import type { LaunchConfigList } from '../features/launches/configs/schema.ts';
import type { MetadataDocument } from '../features/launches/schema.ts';
import type { ChainReadCaches } from '../features/market/chain-routes.ts';
import type { OverviewRouteDependencies } from '../features/market/overview/routes.ts';
import type { MarketCaches } from '../features/market/routes.ts';
import type { StatsCaches } from '../features/market/stats/routes.ts';
import type { TraderCaches } from '../features/market/traders/routes.ts';
import type { PredictionCaches } from '../features/predictions/rounds/routes.ts';
import type { PresaleCaches } from '../features/presales/routes.ts';
import type { StakingCaches } from '../features/staking/routes.ts';
import type { TokenCaches } from '../features/tokens/list-routes.ts';
import {
  type CacheReplica,
  SerialisedCache,
  type SerialisedCacheOptions,
} from '../http/caches/serialised-cache.ts';
import { Gate } from '../shared/gate.ts';

const TOKENS_CACHED_MAX = 50_000;
// A document has at most about 12 KB: 60 MB when full.
const METADATA_CACHED_MAX = 5_000;
const LISTS_CACHED_MAX = 1_000;
// A leaderboard is about 16 KB: 16 MB when full.
const LEADERBOARDS_CACHED_MAX = 1_000;
// A page of 50 trades is about 25 KB, a window of 1,000 candles about 250 KB: 50 MB each when full.
const TRADE_PAGES_CACHED_MAX = 2_000;
const CANDLE_WINDOWS_CACHED_MAX = 200;
// Pages of about 25 and 40 KB, lists of 20 to 60 KB: at most 13, 40 and 60 MB.
const FILTERED_PAGES_CACHED_MAX = 500;
const WALLET_PAGES_CACHED_MAX = 500;
const TOP_LISTS_CACHED_MAX = 500;
// 500 holdings are about 150 KB, a composition about 2 KB: at most 45 and 20 MB. A page of what can be claimed is about
// 50 KB: 15 MB.
const HOLDINGS_CACHED_MAX = 300;
const COMPOSITIONS_CACHED_MAX = 10_000;
const CLAIMABLE_CACHED_MAX = 300;
// Statistics of a token are about 2 KB, those of 100 tokens 200 KB: at most 40 MB each.
const STATS_CACHED_MAX = 20_000;
const STATS_LISTS_CACHED_MAX = 200;
// A page of 50 entries is about 12 KB, 500 standings 150 KB: at most 24 and 30 MB.
const ENTRY_PAGES_CACHED_MAX = 2_000;
const STANDINGS_CACHED_MAX = 200;

/** Bounds on the concurrent loads of all anonymous reads together (docs/security.md). */
export interface ReadGates {
  /** One row, or one page by an index. */
  reads: Gate;
  /** Up to a thousand rows. */
  heavyReads: Gate;
  /** Lists of a wallet's token accounts: up to 4 MiB each. */
  holdings: Gate;
  /** About twenty accounts of one slot. */
  supply: Gate;
  /** A pool and its AMM pool in one slot. */
  quotes: Gate;
  /** Swap pools and simulations, for callers with a key. */
  swaps: Gate;
  /** Images from their store: up to 5 MiB each. */
  images: Gate;
  /** Processes that decode images, for callers with a key: up to 500 MB each. */
  decoders: Gate;
  /** Landing reports, for callers with a key: up to 50,000 rows. */
  reports: Gate;
}

/** The pool has 12 connections, which requests with a key use too. */
export function createReadGates(): ReadGates {
  return {
    reads: new Gate({ runningMax: 32, waitingMax: 1_000, waitMaxMs: 2_000 }),
    heavyReads: new Gate({ runningMax: 4, waitingMax: 100, waitMaxMs: 2_000 }),
    holdings: new Gate({ runningMax: 6, waitingMax: 24, waitMaxMs: 1_000 }),
    supply: new Gate({ runningMax: 16, waitingMax: 64, waitMaxMs: 1_000 }),
    quotes: new Gate({ runningMax: 16, waitingMax: 256, waitMaxMs: 1_000 }),
    swaps: new Gate({ runningMax: 32, waitingMax: 256, waitMaxMs: 2_000 }),
    images: new Gate({ runningMax: 8, waitingMax: 100, waitMaxMs: 2_000 }),
    decoders: new Gate({ runningMax: 2, clientRunningMax: 1, waitingMax: 32, waitMaxMs: 5_000 }),
    reports: new Gate({ runningMax: 2, waitingMax: 16, waitMaxMs: 2_000 }),
  };
}

export interface ReadCaches {
  tokenCaches: TokenCaches;
  marketCaches: MarketCaches;
  statsCaches: StatsCaches;
  overviewCache: OverviewRouteDependencies['overviewCache'];
  traderCaches: TraderCaches;
  chainReadCaches: ChainReadCaches;
  stakingCaches: StakingCaches;
  presaleCaches: PresaleCaches;
  predictionCaches: PredictionCaches;
  metadataDocuments: SerialisedCache<MetadataDocument>;
  launchConfigCache: SerialisedCache<LaunchConfigList>;
  claimableFees: SerialisedCache<ClaimableFeesPage>;
}

/** Every anonymous read is loaded through one of these caches, and each cache through a gate. */
export function createReadCaches(
  { reads, heavyReads, holdings, supply }: ReadGates,
  replica?: CacheReplica,
): ReadCaches {
  const make = <Body>(
    gate: Gate,
    maxAgeMs: number,
    entriesMax: number,
    more: Pick<SerialisedCacheOptions, 'keepsFailures'> = {},
  ) =>
    new SerialisedCache<Body>({
      gate,
      maxAgeMs,
      entriesMax,
      nowMs: () => performance.now(),
      replica,
      ...more,
    });
  return {
    tokenCaches: {
      tokens: make(reads, 5_000, TOKENS_CACHED_MAX),
      lists: make(reads, 5_000, LISTS_CACHED_MAX),
      rankedLists: make(reads, 1_000, LISTS_CACHED_MAX),
      searches: make(heavyReads, 1_000, LISTS_CACHED_MAX),
    },
    marketCaches: {
      snapshots: make(reads, 1_000, TOKENS_CACHED_MAX),
      trades: make(reads, 1_000, TRADE_PAGES_CACHED_MAX),
      // Concurrent requests share a load, which is never kept: clients page at different times.
      furtherTrades: make(reads, 0, 2),
      filteredTrades: make(heavyReads, 1_000, FILTERED_PAGES_CACHED_MAX),
      holders: make(reads, 1_000, TOKENS_CACHED_MAX),
      candles: make(heavyReads, 1_000, CANDLE_WINDOWS_CACHED_MAX),
    },
    statsCaches: {
      tokens: make(heavyReads, 1_000, STATS_CACHED_MAX),
      lists: make(heavyReads, 1_000, STATS_LISTS_CACHED_MAX),
    },
    overviewCache: make(reads, 1_000, 1),
    traderCaches: {
      walletTrades: make(heavyReads, 1_000, WALLET_PAGES_CACHED_MAX),
      positions: make(heavyReads, 1_000, WALLET_PAGES_CACHED_MAX),
      // Adds up as many as 100,000 balances.
      topHolders: make(heavyReads, 5_000, TOP_LISTS_CACHED_MAX),
      topTraders: make(heavyReads, 1_000, TOP_LISTS_CACHED_MAX),
    },
    chainReadCaches: {
      // A list that fails costs the nodes the same as one that succeeds.
      holdings: make(holdings, 2_000, HOLDINGS_CACHED_MAX, { keepsFailures: true }),
      supply: make(supply, 2_000, COMPOSITIONS_CACHED_MAX),
    },
    stakingCaches: {
      pools: make(reads, 5_000, TOKENS_CACHED_MAX),
      leaderboards: make(heavyReads, 5_000, LEADERBOARDS_CACHED_MAX),
    },
    presaleCaches: {
      presales: make(reads, 5_000, TOKENS_CACHED_MAX),
      lists: make(reads, 5_000, LISTS_CACHED_MAX),
    },
    // Documents never change, but their token can be hidden.
    metadataDocuments: make(reads, 5_000, METADATA_CACHED_MAX),
    // An account of each config, until it is known, and the rent.
    launchConfigCache: make(supply, 5_000, 1, { keepsFailures: true }),
    // Lists the NFTs of a wallet, like its holdings.
    claimableFees: make(holdings, 2_000, CLAIMABLE_CACHED_MAX, { keepsFailures: true }),
    predictionCaches: {
      rounds: make(reads, 1_000, TOKENS_CACHED_MAX),
      roundLists: make(heavyReads, 1_000, LISTS_CACHED_MAX),
      entries: make(heavyReads, 1_000, ENTRY_PAGES_CACHED_MAX),
      standings: make(heavyReads, 1_000, STANDINGS_CACHED_MAX),
    },
  };
}
