import { holdableRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { findToken } from './find-token.ts';
import { listTokensDefinition, listTokensRoute, type TokenRouteDependencies } from './list-routes.ts';
import { TokenSchema } from './schema.ts';

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

export function tokenRoutes(dependencies: TokenRouteDependencies): Route[] {
  const { publicDatabase: database, tokenCaches } = dependencies;
  return [
    listTokensRoute(dependencies),
    holdableRead(getTokenDefinition, { recordOf: ({ params }) => params.mint }, (reader) => {
      const { mint } = reader.params;
      return tokenCaches.tokens.requireReplicated(
        reader,
        mint,
        (replica) => findToken(replica ?? database, mint),
        'token_not_found',
      );
    }),
  ];
}
