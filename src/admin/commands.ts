import type { Command } from './command.ts';
import { eventCommands } from './event-commands.ts';
import { intentCommands } from './intent-commands.ts';
import { keyCommands } from './key-commands.ts';
import { tokenCommands } from './token-commands.ts';

/** Every command of the admin CLI (D20). */
export const commands: readonly Command[] = [
  ...keyCommands,
  ...intentCommands,
  ...eventCommands,
  ...tokenCommands,
];
