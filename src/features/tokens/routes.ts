import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import type { OrdinalPosition } from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { type PageBody, PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { holdableRead, publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { described, MintPath, OneOf } from '../../shared/field-schemas.ts';
import { findToken } from './find-token.ts';
import { listTokens } from './list-tokens.ts';
import { type Token, TokenSchema } from './schema.ts';

export interface TokenRouteDependencies {
  database: Database;
  cursors: Cursors;
  tokenCaches: TokenCaches;
}

/** Pre-serialised reads, dropped when a token changes. */
export interface TokenCaches {
  tokens: SerialisedCache<Token>;
  lists: SerialisedCache<PageBody<Token>>;
}

const listTokensDefinition = {
  id: 'listTokens',
  method: 'GET',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'Visible tokens, newest first',
  description:
    'Tokens launched while you page appear on a fresh first page, so pages never repeat or skip a token.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  query: Type.Object({
    ...paginationFields,
    status: described('Only items with this status.', Type.Optional(OneOf(tokenStatuses))),
    launchType: described('Only tokens launched this way.', Type.Optional(OneOf(launchTypes))),
  }),
  response: PageOf(TokenSchema),
  problems: ['cursor_invalid', 'token_index_unavailable'],
  unavailable: 'token_index_unavailable',
} satisfies RouteDefinition;

const getTokenDefinition = {
  id: 'getToken',
  method: 'GET',
  path: '/tokens/:mint',
  tag: 'Tokens',
  summary: 'One visible token',
  description: '`marketCapInSol` is the exact product of `currentPriceInSol` and `totalSupply`.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  params: MintPath,
  response: TokenSchema,
  waitable: true,
  responseHeaders: ['Preference-Applied'],
  problems: ['token_not_found', 'token_index_unavailable'],
  unavailable: 'token_index_unavailable',
} satisfies RouteDefinition;

export const tokenDefinitions: readonly RouteDefinition[] = [listTokensDefinition, getTokenDefinition];

export function tokenRoutes({ database, cursors, tokenCaches }: TokenRouteDependencies): Route[] {
  return [
    publicRead(listTokensDefinition, ({ query }) => {
      const { status, launchType } = query;
      const binding = [listTokensDefinition.id, status ?? null, launchType ?? null];
      const page = requestedPage<OrdinalPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      const load = async (replica: Database | null) =>
        page.toBody(await listTokens(replica ?? database, { status, launchType, limit, after }));
      const key = JSON.stringify([status, launchType, limit, after]);
      // A replica may lack what the page before has shown.
      return after === undefined
        ? tokenCaches.lists.requireCopy(key, load, 'token_not_found')
        : tokenCaches.lists.require(key, () => load(null), 'token_not_found');
    }),
    holdableRead(getTokenDefinition, { recordOf: ({ params }) => params.mint }, ({ params: { mint } }) =>
      tokenCaches.tokens.requireCopy(
        mint,
        (replica) => findToken(replica ?? database, mint),
        'token_not_found',
      ),
    ),
  ];
}
