import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { LaunchConfigList } from './configs/schema.ts';
import { launchDefinitions, launchRoutes } from './routes.ts';
import type { MetadataDocument } from './schema.ts';

// A document has at most about 12 KB: 60 MB when full.
const METADATA_MAX = 5_000;

export const launchApi = {
  added: [{ definitions: launchDefinitions, routes: launchRoutes }],
  open({ caches }: { caches: CacheRegistry }) {
    // Documents never change, but their token can be hidden.
    const metadataDocuments: SerialisedCache<MetadataDocument> = caches.open('metadata.documents', {
      gate: 'reads',
      maxAgeMs: 5_000,
      entriesMax: METADATA_MAX,
      drops: { [hints.tokenChanged]: 'key' },
    });
    // An account of each config, until it is known, and the rent.
    const launchConfigCache: SerialisedCache<LaunchConfigList> = caches.open('launch.configs', {
      gate: 'supply',
      maxAgeMs: 5_000,
      entriesMax: 1,
      keepsFailures: true,
      keepsOverGap: true,
    });
    return { metadataDocuments, launchConfigCache };
  },
} satisfies ApiDoor;
