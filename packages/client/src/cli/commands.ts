import type { Command } from './command.ts';
import { feeAccountCommand, identityCommands } from './commands/account.ts';
import { claimCommand } from './commands/claim.ts';
import { completionCommand } from './commands/completion.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { endpointCommands } from './commands/endpoints.ts';
import { eventCommands } from './commands/events.ts';
import { intentCommands } from './commands/intents.ts';
import { landingReportCommand } from './commands/landing-report.ts';
import { launchCommand, transferCreatorCommand } from './commands/launch.ts';
import { launchListCommands } from './commands/launches.ts';
import { listenCommand } from './commands/listen.ts';
import { orderSlotCommands } from './commands/order-slots.ts';
import { orderCommands } from './commands/orders.ts';
import { tokenCommands } from './commands/tokens.ts';
import { priorityFeesCommand, quoteCommand, swapCommand } from './commands/trading.ts';
import { triggerCommand } from './commands/trigger.ts';
import type { Program } from './kit/command.ts';
import { flag, text } from './kit/option.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...identityCommands,
  ...tokenCommands,
  quoteCommand,
  priorityFeesCommand,
  swapCommand,
  ...orderCommands,
  ...orderSlotCommands,
  claimCommand,
  feeAccountCommand,
  ...launchListCommands,
  launchCommand,
  transferCreatorCommand,
  ...intentCommands,
  landingReportCommand,
  listenCommand,
  triggerCommand,
  ...eventCommands,
  ...endpointCommands,
  ...deliveryCommands,
  completionCommand(() => commandLine),
];

export const commandLine: Omit<Program<Command>, 'version'> & { errorPrefix: string } = {
  name: 'launchwire',
  errorPrefix: 'launchwire: ',
  about: 'The command line of the Launchwire API',
  commands,
  globalOptions: {
    json: flag('print JSON instead of tables'),
    url: text('address of the deployment', { format: 'url', ifUnset: 'LAUNCHWIRE_URL' }),
    help: flag('explain the program, a group or a command'),
  },
  notes: `Environment:
  LAUNCHWIRE_URL             address of the deployment
  LAUNCHWIRE_API_KEY         key of your account; tokens, trades, quote and trigger need none
  LAUNCHWIRE_WEBHOOK_SECRET  whsec_… that listen and trigger sign with; if unset, a new one

Exit codes:
  0  done
  1  the API refused it, or the transaction did not confirm
  2  the command line is wrong
  3  the deployment or the local receiver cannot be reached`,
};
