import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { mutation, privateRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { Problem } from '../../shared/problem.ts';
import { requireScopes } from '../../shared/require-scopes.ts';
import type { Scope } from '../../shared/scopes.ts';
import { type KeyPosition, listOwnKeys } from './list-own-keys.ts';
import { toApiKey } from './record.ts';
import { type RevocationDependencies, revokeKey } from './revoke-key.ts';
import { ApiKeySchema, IdentitySchema, KeyPath } from './schema.ts';

const getApiIdentity = {
  id: 'getApiIdentity',
  method: 'GET',
  path: '/me',
  tag: 'Identity',
  summary: 'The account behind your API key',
  description: 'The cheapest way to test a key: it returns the account, the pinned wallet and the scopes.',
  auth: 'any-key',
  ratePolicy: 'api-key-read',
  successStatus: 200,
  response: IdentitySchema,
  problems: ['identity_unavailable'],
  unavailable: 'identity_unavailable',
} satisfies RouteDefinition;

/** The scope for keys of the account other than the one of the request. */
const OTHER_KEYS: Scope = 'keys:write';

const listApiKeys = {
  id: 'listApiKeys',
  method: 'GET',
  path: '/keys',
  refusesUnknownQuery: true,
  tag: 'Identity',
  summary: 'API keys, newest first',
  description:
    'Every key of the account, including revoked and expired ones, with its scopes, expiry and last use, but without its secret. A key without the scope `keys:write` sees only itself. `lastUsedAt` is rounded to the minute.',
  auth: 'any-key',
  ratePolicy: 'api-key-read',
  successStatus: 200,
  query: Type.Object(paginationFields),
  response: PageOf(ApiKeySchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const revokeApiKey = {
  id: 'revokeApiKey',
  method: 'POST',
  path: '/keys/:keyId/revocations',
  refusesUnknownQuery: true,
  tag: 'Identity',
  summary: 'Revoke an API key',
  description:
    'A key may revoke itself; others of its account need the scope `keys:write`. Within 5 seconds every process refuses the key, and its streams end with `key_revoked`. Its webhook endpoints stay, because they belong to the account. A revoked key stays as it is. The last key of an account may be revoked; then only the operator can create another. The account gets `api_key.revoked`.',
  auth: 'any-key',
  ratePolicy: 'webhook-admin',
  successStatus: 200,
  params: KeyPath,
  response: ApiKeySchema,
  // A key may revoke itself.
  dependsOnKey: 'key',
  problems: ['insufficient_scope', 'api_key_not_found'],
} satisfies RouteDefinition;

/** Operations added after the first 36 (contract/endpoints#added). */
export const keyDefinitions: readonly RouteDefinition[] = [listApiKeys, revokeApiKey];

export interface KeyRouteDependencies extends RevocationDependencies {
  database: Database;
  cursors: Cursors;
}

export function keyRoutes({ database, cursors, outbox, clock }: KeyRouteDependencies): Route[] {
  return [
    privateRead(listApiKeys, async ({ query }, { id, accountId, scopes }) => {
      const onlyKeyId = scopes.includes(OTHER_KEYS) ? null : id;
      const page = requestedPage<KeyPosition>(cursors, query, [listApiKeys.id, accountId, onlyKeyId], 2);
      const { limit, after } = page;
      return { body: page.toBody(await listOwnKeys(database, accountId, { onlyKeyId, limit, after })) };
    }),
    mutation(revokeApiKey, async ({ params: { keyId } }, { principal }, transaction) => {
      const { id, accountId, scopes } = principal;
      if (keyId !== id) requireScopes(scopes, [OTHER_KEYS]);
      const revoked = await revokeKey(transaction, { keyId, accountId, by: id }, { outbox, clock });
      if (revoked === null) throw new Problem('api_key_not_found');
      return { body: toApiKey(revoked) };
    }),
  ];
}

export const identityDefinitions: readonly RouteDefinition[] = [getApiIdentity];

export function identityRoutes(): Route[] {
  return [
    privateRead(getApiIdentity, (_input, principal) => ({
      body: {
        accountId: principal.accountId,
        keyId: principal.id,
        name: principal.name,
        environment: principal.environment,
        walletAddress: principal.walletAddress,
        // Its table admits no others.
        scopes: principal.scopes as Scope[],
        createdAt: principal.createdAt.toISOString(),
        expiresAt: principal.expiresAt?.toISOString() ?? null,
      },
    })),
  ];
}
