import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import { hints } from '../../shared/bus/topology.ts';
import { findStreamedPresales } from './find-presale.ts';
import { type PresaleCaches, presaleDefinitions, presaleRoutes } from './routes.ts';

const PRESALES_MAX = 50_000;
const LISTS_MAX = 1_000;

export const presaleApi = {
  operations: [{ definitions: presaleDefinitions, routes: presaleRoutes }],
  open({ caches }: { caches: CacheRegistry }) {
    const read = { gate: 'reads', maxAgeMs: 5_000 } as const;
    const presaleCaches: PresaleCaches = {
      presales: caches.open('presale.presales', {
        ...read,
        entriesMax: PRESALES_MAX,
        drops: { [hints.presaleChanged]: 'key' },
      }),
      lists: caches.open('presale.lists', {
        ...read,
        entriesMax: LISTS_MAX,
        drops: { [hints.presaleChanged]: 'ages' },
      }),
    };
    return { presaleCaches };
  },
  records: ({ database }: { database: Database }) => ({
    presales: (ids: readonly string[]) => findStreamedPresales(database, ids),
  }),
} satisfies ApiDoor;
