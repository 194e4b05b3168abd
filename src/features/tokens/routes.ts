import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import type { Cursors } from '../../http/cursor.ts';
import { OneOf, PageOf, paginationFields } from '../../http/fields.ts';
import { type Operation, publicRead, type Route } from '../../http/operation.ts';
import type { SerialisedCache } from '../../http/serialised-cache.ts';
import { findToken, listTokens } from './list-tokens.ts';
import { MintPath, TokenSchema } from './schema.ts';

export interface TokenRouteDependencies {
  database: Database;
  cursors: Cursors;
  tokenCaches: TokenCaches;
}

/** Pre-serialised reads, dropped when a token changes. */
export interface TokenCaches {
  tokens: SerialisedCache;
  lists: SerialisedCache;
}

const listTokensOperation = {
  id: 'listTokens',
  method: 'GET',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'Visible tokens, newest first',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  query: Type.Object({
    ...paginationFields,
    status: Type.Optional(OneOf(tokenStatuses)),
    launchType: Type.Optional(OneOf(launchTypes)),
  }),
  response: PageOf(TokenSchema),
  problems: ['cursor_invalid', 'token_index_unavailable'],
  unavailable: 'token_index_unavailable',
} satisfies Operation;

const getTokenOperation = {
  id: 'getToken',
  method: 'GET',
  path: '/tokens/:mint',
  tag: 'Tokens',
  summary: 'One visible token',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  params: MintPath,
  response: TokenSchema,
  problems: ['token_not_found', 'token_index_unavailable'],
  unavailable: 'token_index_unavailable',
} satisfies Operation;

export function tokenRoutes({ database, cursors, tokenCaches }: TokenRouteDependencies): Route[] {
  return [
    publicRead(listTokensOperation, ({ query: { cursor, limit, status, launchType } }) => {
      const binding = [listTokensOperation.id, status ?? null, launchType ?? null];
      const [ordinal] = cursor === undefined ? [] : cursors.verify(cursor, binding, 1);
      const load = async () => {
        const beforeOrdinal = ordinal === undefined ? undefined : BigInt(ordinal);
        const { tokens, nextOrdinal } = await listTokens(database, {
          status,
          launchType,
          limit,
          beforeOrdinal,
        });
        const nextCursor = nextOrdinal === null ? null : cursors.sign([nextOrdinal.toString()], binding);
        return { data: tokens, page: { hasMore: nextCursor !== null, nextCursor } };
      };
      const key = JSON.stringify([status, launchType, limit, ordinal]);
      return tokenCaches.lists.require(key, load, 'token_not_found');
    }),
    publicRead(getTokenOperation, ({ params: { mint } }) =>
      tokenCaches.tokens.require(mint, () => findToken(database, mint), 'token_not_found'),
    ),
  ];
}
