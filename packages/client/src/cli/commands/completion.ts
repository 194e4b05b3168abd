import type { Command } from '../command.ts';
import { needArgument, type Program } from '../kit/command.ts';
import { completionScript, type Shell, shells } from '../kit/completion.ts';
import { choice, required } from '../kit/option.ts';

/** @param program all commands, this one included */
export const completionCommand = (program: () => Omit<Program<Command>, 'version'>): Command => ({
  name: 'completion',
  summary: 'Print a script that completes commands and options in your shell',
  details: 'To load it: source <(launchwire completion bash), or launchwire completion fish | source.',
  arguments: { shell: choice('your shell', shells, required) },
  examples: ['bash'],
  async run({ arguments: values, output }) {
    output.script(completionScript(needArgument(values, 'shell') as Shell, program()));
  },
});
