/**
 * The scopes of API keys and their meanings (contract/authentication#scopes): the one place to add one. The
 * table `api_keys` checks them, so a new scope needs a migration as well (`npm run db:generate`).
 */
export const scopeMeanings = {
  'operations:read': 'read operations, transaction intents and orders',
  'transactions:write': 'prepare swaps, launches, orders and claims, and submit the signed transactions',
  'staking:read': "read the wallet's staking positions",
  'fees:read': 'read fee state and fee distributions',
  'presales:read': "read the wallet's participation in presales",
  'predictions:read': 'read eligibility and own predictions',
  'predictions:write': 'submit predictions',
  'audience:write': 'export who holds a token',
  'webhooks:read': 'read webhook endpoints and deliveries',
  'webhooks:write': 'create, change and delete webhook endpoints, replay deliveries',
  'keys:write': 'list and revoke the API keys of the account',
} as const;

export type Scope = keyof typeof scopeMeanings;

export const scopes = Object.keys(scopeMeanings) as readonly Scope[];
