import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { OwnedPositionDependencies } from './claimable/owned-positions.ts';
import { claimableDefinitions, claimableRoutes } from './claimable/routes.ts';
import type { ClaimableFeesPage } from './claimable/schema.ts';
import { WalletClaims } from './claimable/wallet-claims.ts';
import { feeClaimDefinitions, feeClaimRoutes } from './claims/routes.ts';
import { feeDefinitions, feeRoutes } from './routes.ts';

// A page of what can be claimed is about 50 KB: 15 MB when full.
const CLAIMABLE_MAX = 300;

interface FeeGround extends Omit<OwnedPositionDependencies, 'database'> {
  publicDatabase: Database;
  caches: CacheRegistry;
}

export const feeApi = {
  operations: [{ definitions: feeDefinitions, routes: feeRoutes }],
  added: [
    { definitions: feeClaimDefinitions, routes: feeClaimRoutes },
    { definitions: claimableDefinitions, routes: claimableRoutes },
  ],
  open({ caches, publicDatabase, ...ground }: FeeGround) {
    // Lists the NFTs of a wallet, like its holdings.
    const claimableFees: SerialisedCache<ClaimableFeesPage> = caches.open('chain_read.claimable', {
      gate: 'holdings',
      maxAgeMs: 2_000,
      entriesMax: CLAIMABLE_MAX,
      keepsFailures: true,
      keepsOverGap: true,
    });
    return { claimableFees, walletClaims: new WalletClaims({ ...ground, database: publicDatabase }) };
  },
} satisfies ApiDoor;
