import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import { MintPath, StakingLeaderboardSchema, StakingPoolSchema, StakingPositionsSchema } from './schema.ts';

const stakingRead = {
  method: 'GET',
  tag: 'Staking',
  successStatus: 200,
  params: MintPath,
  problems: ['token_not_found', 'staking_pool_not_found'],
} as const;

const getStakingPool = {
  ...stakingRead,
  id: 'getStakingPool',
  path: '/tokens/:mint/staking',
  summary: 'The staking pool of a token',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  maxAgeSeconds: 5,
  response: StakingPoolSchema,
} satisfies Operation;

const listStakingLeaderboard = {
  ...stakingRead,
  id: 'listStakingLeaderboard',
  path: '/tokens/:mint/staking/leaderboard',
  summary: 'The 100 largest stakers of a token',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  maxAgeSeconds: 5,
  response: StakingLeaderboardSchema,
} satisfies Operation;

const listOwnedStakingPositions = {
  ...stakingRead,
  id: 'listOwnedStakingPositions',
  path: '/tokens/:mint/staking/positions',
  summary: "Staking positions of the key's wallet",
  auth: ['staking:read'],
  ratePolicy: 'api-key-read',
  response: StakingPositionsSchema,
} satisfies Operation;

export function stakingRoutes(): Route[] {
  return [getStakingPool, listStakingLeaderboard, listOwnedStakingPositions].map(pendingRoute);
}
