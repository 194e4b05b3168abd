import type { Database } from '../../../db/client.ts';
import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import { holdableRead, publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { MintPath } from '../../../shared/field-schemas.ts';
import { countMints, requestedMints } from '../../../shared/requested-mints.ts';
import { findStatsOfTokens, findTokenStats } from './find-token-stats.ts';
import {
  type TokenStats,
  type TokenStatsList,
  TokenStatsListSchema,
  TokenStatsQuery,
  TokenStatsSchema,
} from './schema.ts';

export interface StatsRouteDependencies {
  publicDatabase: Database;
  statsCaches: StatsCaches;
}

/** Pre-serialised statistics. */
export interface StatsCaches {
  /** By mint; dropped when its market changes. */
  tokens: SerialisedCache<TokenStats>;
  /** By mints; expires only by age. */
  lists: SerialisedCache<TokenStatsList>;
}

const { statsTokens } = unpublishedLimits;
/** Tokens that count as one request under the rate policy. */
const TOKENS_PER_REQUEST = 10;

const statsRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  successStatus: 200,
  maxAgeSeconds: 1,
  refusesUnknownQuery: true,
  unavailable: 'market_data_unavailable',
} as const;

const getTokenStats = {
  ...statsRead,
  id: 'getTokenStats',
  path: '/tokens/:mint/stats',
  summary: 'Statistics of a token',
  description:
    'Windows of 5 minutes, 1, 6 and 24 hours begin at whole minutes and end with the newest trade. `asOf` is the time up to which the token’s trades are proven to be complete. A window holds every trade of `listTokenTrades` whose `blockTime` is not before `from`: these trades add up to exactly these figures.',
  ratePolicy: 'public-read-cheap',
  params: MintPath,
  response: TokenStatsSchema,
  waitable: true,
  responseHeaders: ['Preference-Applied'],
  problems: ['token_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

const listTokenStats = {
  ...statsRead,
  id: 'listTokenStats',
  path: '/token-stats',
  summary: 'Statistics of several tokens',
  description:
    'The records of `getTokenStats` in the order of the mints, all of the same moment. A mint without a visible token is left out. Every ten mints, or part of ten, count as one request.',
  ratePolicy: 'public-read-expensive',
  rateCost: (query) => Math.ceil(countMints(query, statsTokens) / TOKENS_PER_REQUEST),
  query: TokenStatsQuery,
  response: TokenStatsListSchema,
  problems: ['market_data_unavailable'],
} satisfies RouteDefinition;

export const statsDefinitions: readonly RouteDefinition[] = [getTokenStats, listTokenStats];

export function statsRoutes({ publicDatabase: database, statsCaches }: StatsRouteDependencies): Route[] {
  return [
    holdableRead(getTokenStats, { recordOf: ({ params }) => params.mint }, (reader) => {
      const { mint } = reader.params;
      return statsCaches.tokens.requireReplicated(
        reader,
        mint,
        (replica) => findTokenStats(replica ?? database, mint),
        'token_not_found',
      );
    }),
    publicRead(listTokenStats, (reader) => {
      const { query } = reader;
      const mints = requestedMints(query.mints, statsTokens);
      const load = async (replica: Database | null) => {
        const found = await findStatsOfTokens(replica ?? database, mints);
        return { data: mints.flatMap((mint) => found.get(mint) ?? []) };
      };
      return statsCaches.lists.requireReplicated(reader, mints.join(), load, 'market_data_unavailable');
    }),
  ];
}
