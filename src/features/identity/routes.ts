import { privateRead, type Route, type RouteDefinition } from '../../http/route.ts';
import type { Scope } from '../../shared/scopes.ts';
import { IdentitySchema } from './schema.ts';

const getApiIdentity = {
  id: 'getApiIdentity',
  method: 'GET',
  path: '/me',
  tag: 'Identity',
  summary: 'The account, key and wallet behind the API key',
  description: 'The cheapest way to test a key: it returns the account, the pinned wallet and the scopes.',
  auth: 'any-key',
  ratePolicy: 'api-key-read',
  successStatus: 200,
  response: IdentitySchema,
  problems: ['identity_unavailable'],
  unavailable: 'identity_unavailable',
} satisfies RouteDefinition;

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
