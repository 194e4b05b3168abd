import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import { hints } from '../../shared/bus/topology.ts';
import { findOpenRounds, findStreamedRounds } from './rounds/find-streamed-rounds.ts';
import type { PredictionCaches } from './rounds/routes.ts';
import { predictionDefinitions, predictionRoutes } from './routes.ts';
import { addedPredictionDefinitions, addedPredictionRoutes } from './submissions/routes.ts';

const ROUNDS_MAX = 50_000;
const LISTS_MAX = 1_000;
// A page of 50 entries is about 12 KB, 500 standings 150 KB: at most 24 and 30 MB.
const ENTRY_PAGES_MAX = 2_000;
const STANDINGS_MAX = 200;

export const predictionApi = {
  operations: [{ definitions: predictionDefinitions, routes: predictionRoutes }],
  added: [{ definitions: addedPredictionDefinitions, routes: addedPredictionRoutes }],
  open({ caches }: { caches: CacheRegistry }) {
    const all = { maxAgeMs: 1_000, drops: { [hints.roundChanged]: 'all' } } as const;
    const heavy = { ...all, gate: 'heavyReads' } as const;
    const predictionCaches: PredictionCaches = {
      rounds: caches.open('prediction.rounds', { ...all, gate: 'reads', entriesMax: ROUNDS_MAX }),
      roundLists: caches.open('prediction.roundLists', { ...heavy, entriesMax: LISTS_MAX }),
      entries: caches.open('prediction.entries', { ...heavy, entriesMax: ENTRY_PAGES_MAX }),
      standings: caches.open('prediction.standings', { ...heavy, entriesMax: STANDINGS_MAX }),
    };
    return { predictionCaches };
  },
  records: ({ database }: { database: Database }) => ({
    rounds: (ids: readonly string[]) => findStreamedRounds(database, ids),
    openRounds: (mints: readonly string[], limit: number) => findOpenRounds(database, mints, limit),
  }),
} satisfies ApiDoor;
