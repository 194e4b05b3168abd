import { argumentOf, type Command } from '../command.ts';
import { completionScript, type Shell, shells } from '../completion.ts';
import { UsageError } from '../failures.ts';

/** `commands` are all of them, this one included. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print a script that completes commands and options in your shell',
  arguments: [{ name: 'shell', help: 'bash, zsh or fish', required: true }],
  options: {},
  examples: ['source <(launchwire completion bash)'],
  async run(invocation) {
    const shell = argumentOf(invocation, 'shell');
    if (!shells.includes(shell))
      throw new UsageError(`<shell> is one of ${shells.join(', ')}, not "${shell}"`);
    invocation.output.script(completionScript(shell as Shell, commands()));
  },
});
