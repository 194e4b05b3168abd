import type { Database } from '../../db/client.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import { privateRead, publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import { findStakingPool } from './find-staking-pool.ts';
import { listLeaderboard } from './list-leaderboard.ts';
import { listOwnedPositions } from './list-owned-positions.ts';
import {
  type StakingLeaderboard,
  StakingLeaderboardSchema,
  type StakingPool,
  StakingPoolSchema,
  StakingPositionsSchema,
} from './schema.ts';

export interface StakingRouteDependencies {
  database: Database;
  publicDatabase: Database;
  stakingCaches: StakingCaches;
}

/** Pre-serialised reads by mint, dropped when the token's pool or stakes change. */
export interface StakingCaches {
  pools: SerialisedCache<StakingPool>;
  leaderboards: SerialisedCache<StakingLeaderboard>;
}

const stakingRead = {
  method: 'GET',
  tag: 'Staking',
  successStatus: 200,
  params: MintPath,
  problems: ['staking_pool_not_found'],
} as const;

const getStakingPool = {
  ...stakingRead,
  id: 'getStakingPool',
  path: '/tokens/:mint/staking',
  summary: 'The staking pool of a token',
  description:
    'The pool as last observed on chain, at `slot`. Amounts are in base units of the token; rewards are spread evenly over each second.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  maxAgeSeconds: 5,
  response: StakingPoolSchema,
} satisfies RouteDefinition;

const listStakingLeaderboard = {
  ...stakingRead,
  id: 'listStakingLeaderboard',
  path: '/tokens/:mint/staking/leaderboard',
  summary: 'Largest stakers of a token',
  description:
    'The 100 largest stakers, each with the sum of all its positions. Equal stakes share a rank, and the next rank skips as many (1, 2, 2, 4); among equal stakes the older one comes first. `shareBps` is the share of all staked tokens, rounded down to whole basis points, so shares add up to at most 10,000.',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  maxAgeSeconds: 5,
  response: StakingLeaderboardSchema,
} satisfies RouteDefinition;

const listOwnedStakingPositions = {
  ...stakingRead,
  id: 'listOwnedStakingPositions',
  path: '/tokens/:mint/staking/positions',
  summary: "Staking positions of the key's wallet",
  description:
    "Positions of the key's pinned wallet in this token's pool that hold a stake or unclaimed rewards, oldest first.",
  auth: ['staking:read'],
  ratePolicy: 'api-key-read',
  response: StakingPositionsSchema,
} satisfies RouteDefinition;

export const stakingDefinitions: readonly RouteDefinition[] = [
  getStakingPool,
  listStakingLeaderboard,
  listOwnedStakingPositions,
];

export function stakingRoutes({
  database,
  publicDatabase,
  stakingCaches,
}: StakingRouteDependencies): Route[] {
  return [
    publicRead(getStakingPool, (reader) => {
      const { mint } = reader.params;
      return stakingCaches.pools.requireReplicated(
        reader,
        mint,
        (replica) => findStakingPool(replica ?? publicDatabase, mint),
        'staking_pool_not_found',
      );
    }),
    publicRead(listStakingLeaderboard, (reader) => {
      const { mint } = reader.params;
      return stakingCaches.leaderboards.requireReplicated(
        reader,
        mint,
        (replica) => listLeaderboard(replica ?? publicDatabase, mint),
        'staking_pool_not_found',
      );
    }),
    privateRead(listOwnedStakingPositions, async ({ params: { mint } }, { walletAddress }) => {
      const positions = await listOwnedPositions(database, mint, walletAddress);
      if (positions === null) throw new Problem('staking_pool_not_found');
      return { body: positions };
    }),
  ];
}
