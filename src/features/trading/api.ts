import type { ChainHeadSource } from '../../chain/head.ts';
import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import type { ReadGates } from '../../http/caches/read-gates.ts';
import { hints } from '../../shared/bus/topology.ts';
import { createTradingCaches, type SnapshotDependencies } from './pool-snapshots.ts';
import { tradingDefinitions, tradingRoutes } from './routes.ts';
import { createWaitingPools } from './waiting-pools.ts';
import { WarmSwaps } from './warm-swaps.ts';

export interface TradingGround
  extends Omit<SnapshotDependencies, 'tradingCaches' | 'quoteGate' | 'swapGate'> {
  publicDatabase: Database;
  caches: CacheRegistry;
  gates: ReadGates;
  chainHead: ChainHeadSource;
}

export const tradingApi = {
  added: [{ definitions: tradingDefinitions, routes: tradingRoutes }],
  open({ caches, gates, ...ground }: TradingGround) {
    const tradingCaches = createTradingCaches(ground.chainHead);
    caches.follow({
      hint: hints.tokenChanged,
      onHint(mint) {
        tradingCaches.tokens.drop(mint);
        tradingCaches.snapshots.drop(mint);
      },
      onGap: () => tradingCaches.tokens.clear(),
    });
    const bounded = { tradingCaches, quoteGate: gates.quotes, swapGate: gates.swaps };
    const waitingPools = createWaitingPools({ ...ground, ...bounded, database: ground.publicDatabase });
    return { ...bounded, warmSwaps: new WarmSwaps(), waitingPools };
  },
} satisfies ApiDoor;
