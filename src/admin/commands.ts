import type { Command } from './command.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { eventCommands } from './event-commands.ts';
import { ingestCommands } from './ingest-commands.ts';
import { intentCommands } from './intent-commands.ts';
import { keyCommands } from './key-commands.ts';
import { operationCommands } from './operation-commands.ts';
import { predictionIntentCommands } from './prediction-intent-commands.ts';
import { presaleCommands } from './presale-commands.ts';
import { roundCommands } from './round-commands.ts';
import { secretCommands } from './secret-commands.ts';
import { serviceKeyCommands } from './service-key-commands.ts';
import { tokenCommands } from './token-commands.ts';
import { walletCommands } from './wallet-commands.ts';

/** Every command of the admin CLI (contract/processes#admin-cli). */
export const commands: readonly Command[] = [
  ...keyCommands,
  ...serviceKeyCommands,
  ...intentCommands,
  ...endpointCommands,
  ...eventCommands,
  ...operationCommands,
  ...deliveryCommands,
  ...tokenCommands,
  ...presaleCommands,
  ...roundCommands,
  ...walletCommands,
  ...predictionIntentCommands,
  ...secretCommands,
  ...ingestCommands,
];
