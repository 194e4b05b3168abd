import type { Command } from './command.ts';
import { claimCommand } from './commands/claim.ts';
import { completionCommand } from './commands/completion.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { endpointCommands } from './commands/endpoints.ts';
import { eventCommands } from './commands/events.ts';
import { feeAccountCommand } from './commands/fee-account.ts';
import { intentCommands } from './commands/intents.ts';
import { keyCommands } from './commands/keys.ts';
import { landingReportCommand } from './commands/landing-report.ts';
import { launchCommand, transferCreatorCommand } from './commands/launch.ts';
import { launchListCommands } from './commands/launches.ts';
import { listenCommand } from './commands/listen.ts';
import { meCommand } from './commands/me.ts';
import { orderSlotCommands } from './commands/order-slots.ts';
import { orderCommands } from './commands/orders.ts';
import { tokenCommands } from './commands/tokens.ts';
import { priorityFeesCommand, quoteCommand, swapCommand } from './commands/trading.ts';
import { triggerCommand } from './commands/trigger.ts';
import { walletCommands } from './commands/wallets.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  meCommand,
  ...keyCommands,
  ...tokenCommands,
  ...walletCommands,
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
  completionCommand(() => commands),
];
