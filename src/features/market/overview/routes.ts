import type { Database } from '../../../db/client.ts';
import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { findOverview } from './find-overview.ts';
import { type MarketOverview, MarketOverviewSchema } from './schema.ts';

export interface OverviewRouteDependencies {
  publicDatabase: Database;
  /** One entry, which expires by age. */
  overviewCache: SerialisedCache<MarketOverview>;
}

const getMarketOverview = {
  id: 'getMarketOverview',
  method: 'GET',
  path: '/market-overview',
  refusesUnknownQuery: true,
  tag: 'Market data',
  summary: 'Totals of the platform',
  description:
    'Totals of all visible tokens in the windows of `getTokenStats`, and how many tokens have each status. They are computed every few seconds, at `computedAt`. `asOf` is the latest time for which some token’s trades are proven to be complete. A token whose source lags counts as far as its trades were read.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 1,
  response: MarketOverviewSchema,
  problems: ['market_data_unavailable'],
  unavailable: 'market_data_unavailable',
} satisfies RouteDefinition;

export const overviewDefinitions: readonly RouteDefinition[] = [getMarketOverview];

export function overviewRoutes({
  publicDatabase: database,
  overviewCache,
}: OverviewRouteDependencies): Route[] {
  return [
    publicRead(getMarketOverview, (reader) =>
      overviewCache.requireReplicated(
        reader,
        'overview',
        (replica) => findOverview(replica ?? database),
        'market_data_unavailable',
      ),
    ),
  ];
}
