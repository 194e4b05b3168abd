import { accountCommands } from './account-commands.ts';
import type { Command, Destruction } from './command.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { doctor } from './doctor/doctor-command.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { eventCommands } from './event-commands.ts';
import { feeAccountCommands } from './fee-account-commands.ts';
import { feesCommands } from './fees-commands.ts';
import { imageCommands } from './image-commands.ts';
import { ingestCommands } from './ingest-commands.ts';
import { intentCommands } from './intent-commands.ts';
import { landingReport } from './landing-report-command.ts';
import { operationCommands } from './operation-commands.ts';
import { predictionCommands } from './prediction-commands.ts';
import { reconcile } from './reconcile/reconcile-command.ts';
import { secretCommands } from './secret-commands.ts';
import { tokenCommands } from './token-commands.ts';

const commandsWithoutRules: readonly Command[] = [
  doctor,
  reconcile,
  landingReport,
  ...accountCommands,
  ...intentCommands,
  ...endpointCommands,
  ...feeAccountCommands,
  ...feesCommands,
  ...deliveryCommands,
  ...eventCommands,
  ...operationCommands,
  ...tokenCommands,
  ...imageCommands,
  ...predictionCommands,
  ...secretCommands,
  ...ingestCommands,
];

/** Every command of the admin CLI (contract/processes#admin-cli), in the order of help and documentation. */
export const commands: readonly Command[] = commandsWithoutRules.map((command) =>
  command.destroys === undefined ? command : { ...command, details: confirmationRule(command.destroys) },
);

function confirmationRule({ isPromisedToScripts, onlyWith }: Destruction): string {
  const asks = onlyWith === undefined ? 'Asks' : `With --${onlyWith}: asks`;
  return isPromisedToScripts === true
    ? `${asks} on a terminal, unless --yes is given.`
    : `${asks} on a terminal, unless --yes is given. Without a terminal, and with --json, it is refused unless --yes is given.`;
}

/** The subject of each group. */
export const groups: Readonly<Record<string, string>> = {
  doctor: 'Checks of this deployment and its dependencies',
  reconcile: 'What a database lost that went back',
  'landing-report': 'How the intents of all accounts landed',
  account: 'Accounts, which own keys, intents, endpoints and operations',
  key: 'API keys of accounts',
  'service-key': 'Keys of the internal API',
  intent: 'Transaction intents',
  endpoint: 'Webhook endpoints',
  'fee-account': 'Addresses that get the platform fees of accounts’ swaps',
  fees: 'What the platform can claim of its tokens’ fees',
  delivery: 'Webhook deliveries',
  event: 'Events of the catalogue',
  operation: 'Operations, also those that no worker runs',
  token: 'Tokens',
  presale: 'Presales',
  images: 'Uploaded images',
  round: 'Prediction rounds',
  wallet: 'Wallets that predict',
  'prediction-intent': 'Permissions of wallets to predict for them',
  secret: 'Secrets at rest',
  ingest: 'The ingest stream',
};
