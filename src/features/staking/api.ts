import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import { hints } from '../../shared/bus/topology.ts';
import { type StakingCaches, stakingDefinitions, stakingRoutes } from './routes.ts';

const POOLS_MAX = 50_000;
// A leaderboard is about 16 KB: 16 MB when full.
const LEADERBOARDS_MAX = 1_000;

export const stakingApi = {
  operations: [{ definitions: stakingDefinitions, routes: stakingRoutes }],
  open({ caches }: { caches: CacheRegistry }) {
    const ofToken = { maxAgeMs: 5_000, drops: { [hints.stakingChanged]: 'key' } } as const;
    const stakingCaches: StakingCaches = {
      pools: caches.open('staking.pools', { gate: 'reads', entriesMax: POOLS_MAX, ...ofToken }),
      leaderboards: caches.open('staking.leaderboards', {
        gate: 'heavyReads',
        entriesMax: LEADERBOARDS_MAX,
        ...ofToken,
      }),
    };
    return { stakingCaches };
  },
} satisfies ApiDoor;
