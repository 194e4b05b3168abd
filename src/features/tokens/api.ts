import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { CacheRegistry } from '../../http/caches/cache-registry.ts';
import { hints } from '../../shared/bus/topology.ts';
import { findStreamedTokens, findVisibleMints } from './find-streamed-tokens.ts';
import { insertLaunchToken } from './insert-launch.ts';
import type { TokenCaches } from './list-routes.ts';
import { tokenDefinitions, tokenRoutes } from './routes.ts';

const TOKENS_MAX = 50_000;
const LISTS_MAX = 1_000;

export const tokenApi = {
  operations: [{ definitions: tokenDefinitions, routes: tokenRoutes }],
  open({ caches }: { caches: CacheRegistry }) {
    const sorted = { maxAgeMs: 1_000, entriesMax: LISTS_MAX };
    const tokenCaches: TokenCaches = {
      tokens: caches.open('token.tokens', {
        gate: 'reads',
        maxAgeMs: 5_000,
        entriesMax: TOKENS_MAX,
        drops: { [hints.tokenChanged]: 'key' },
      }),
      lists: caches.open('token.lists', {
        gate: 'reads',
        maxAgeMs: 5_000,
        entriesMax: LISTS_MAX,
        drops: { [hints.tokenChanged]: 'ages' },
      }),
      rankedLists: caches.open('token.rankedLists', { gate: 'reads', ...sorted }),
      searches: caches.open('token.searches', { gate: 'heavyReads', ...sorted }),
    };
    return { tokenCaches, insertLaunchToken };
  },
  records: ({ database }: { database: Database }) => ({
    tokens: (mints: readonly string[]) => findStreamedTokens(database, mints),
    visibleMints: (mints: readonly string[]) => findVisibleMints(database, mints),
  }),
} satisfies ApiDoor;
