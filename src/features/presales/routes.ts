import type { Database } from '../../db/client.ts';
import type { OrdinalPosition } from '../../db/keyset-page.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { type PageBody, PageOf, requestedPage } from '../../http/lists/pages.ts';
import { privateRead, publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { requireParticipation } from './find-participation.ts';
import { findPresale } from './find-presale.ts';
import { listPresales } from './list-presales.ts';
import {
  type Presale,
  PresaleParticipationSchema,
  PresalePath,
  PresaleSchema,
  PresalesQuery,
} from './schema.ts';

export interface PresaleRouteDependencies {
  database: Database;
  publicDatabase: Database;
  cursors: Cursors;
  presaleCaches: PresaleCaches;
}

/** Pre-serialised reads, dropped when a presale changes. */
export interface PresaleCaches {
  /** By id, in lower case. */
  presales: SerialisedCache<Presale>;
  lists: SerialisedCache<PageBody<Presale>>;
}

const listPresalesDefinition = {
  id: 'listPresales',
  method: 'GET',
  path: '/presales',
  tag: 'Presales',
  summary: 'Public presales, newest first',
  description:
    'In the order of creation, newest first. Drafts and presales of hidden tokens are not listed. Filter by `status` and `mint`.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  query: PresalesQuery,
  response: PageOf(PresaleSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const getPresaleDefinition = {
  id: 'getPresale',
  method: 'GET',
  path: '/presales/:id',
  tag: 'Presales',
  summary: 'One public presale',
  description:
    'A draft is not public: its id returns 404. `active` accepts deposits until `deadline` or until `totalDepositedLamports` reaches `maxCapLamports`; in `settling`, deposits made in time and seen late still count, for a few seconds. `creatorCommitmentLamports` is not part of the total.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  params: PresalePath,
  response: PresaleSchema,
  problems: ['presale_not_found'],
} satisfies RouteDefinition;

const getPresaleParticipationDefinition = {
  id: 'getPresaleParticipation',
  method: 'GET',
  path: '/presales/:id/participation',
  tag: 'Presales',
  summary: 'Your part in a presale',
  description:
    "Deposits, refunds and allocation of the key's pinned wallet. `allocationRaw` is in base units of the token, proportional to the deposit and rounded down. It is null until the presale is settled.",
  auth: ['presales:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: PresalePath,
  response: PresaleParticipationSchema,
  problems: ['presale_participation_not_found'],
} satisfies RouteDefinition;

export const presaleDefinitions: readonly RouteDefinition[] = [
  listPresalesDefinition,
  getPresaleDefinition,
  getPresaleParticipationDefinition,
];

export function presaleRoutes({
  database,
  publicDatabase,
  cursors,
  presaleCaches,
}: PresaleRouteDependencies): Route[] {
  return [
    publicRead(listPresalesDefinition, (reader) => {
      const { query } = reader;
      const { status, mint: mintAddress } = query;
      // Without a filter a cursor is bound as before there were filters.
      const filters =
        status === undefined && mintAddress === undefined ? [] : [status ?? null, mintAddress ?? null];
      const binding = [listPresalesDefinition.id, ...filters];
      const page = requestedPage<OrdinalPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      const load = async (replica: Database | null) =>
        page.toBody(await listPresales(replica ?? publicDatabase, { status, mintAddress, limit, after }));
      const key = JSON.stringify([limit, after, ...filters]);
      // A replica may lack what the page before has shown.
      return page.after === undefined
        ? presaleCaches.lists.requireReplicated(reader, key, load, 'presale_not_found')
        : presaleCaches.lists.require(reader, key, () => load(null), 'presale_not_found');
    }),
    publicRead(getPresaleDefinition, (reader) => {
      const { id } = reader.params;
      return presaleCaches.presales.requireReplicated(
        reader,
        id.toLowerCase(),
        (replica) => findPresale(replica ?? publicDatabase, id),
        'presale_not_found',
      );
    }),
    privateRead(getPresaleParticipationDefinition, async ({ params: { id } }, { walletAddress }) => ({
      body: await requireParticipation(database, id, walletAddress),
    })),
  ];
}
