/**
 * The groups of operations of the internal API, which service keys name (contract/internal-api#service-keys):
 * the one place to add one. The table `service_keys` checks them, so a new group needs a migration as well.
 */
export const serviceGroupMeanings = {
  intents: 'prepare transaction intents',
  tokens: 'create, change, hide and show tokens',
  wallets: 'set names and verification of wallets',
  rounds: 'create and void prediction rounds',
  presales: 'create and publish presales',
  operations: 'create operations and report their progress and end',
} as const;

export type ServiceGroup = keyof typeof serviceGroupMeanings;

export const serviceGroups = Object.keys(serviceGroupMeanings) as readonly ServiceGroup[];
