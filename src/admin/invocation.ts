import { parseArgs } from 'node:util';
import { type Command, type OptionValues, UsageError } from './command.ts';

export interface Invocation {
  command: Command;
  options: OptionValues;
  json: boolean;
}

/** Finds the command of a command line and its options. Throws UsageError. */
export function parseInvocation(commands: readonly Command[], args: readonly string[]): Invocation {
  const [group, verb, ...rest] = args;
  const command = commands.find((candidate) => candidate.group === group && candidate.verb === verb);
  if (command === undefined)
    throw new UsageError(`unknown command: ${[group, verb].filter(Boolean).join(' ') || '(none)'}`);
  const { json, ...options } = parseOptions(command, rest);
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required === true && options[name] === undefined) throw new UsageError(`--${name} is required`);
  }
  return { command, options, json: json === 'true' };
}

function parseOptions(command: Command, args: readonly string[]): Record<string, string | undefined> {
  const definitions = Object.entries(command.options).map(
    ([name, { flag }]) => [name, { type: flag === true ? 'boolean' : 'string' }] as const,
  );
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(definitions), json: { type: 'boolean' } },
      allowPositionals: false,
    });
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value?.toString()]));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable options');
  }
}

/** Every command with its options, one line each. */
export function usage(commands: readonly Command[]): string {
  const lines = commands.map(({ group, verb, summary, options }) => {
    const shown = Object.entries(options).map(([name, { required, flag }]) => {
      const option = flag === true ? `--${name}` : `--${name} <value>`;
      return required === true ? option : `[${option}]`;
    });
    return `  ${group} ${verb} ${shown.join(' ')}\n      ${summary}`;
  });
  return `usage: bun run admin <group> <verb> [options] [--json]\n\n${lines.join('\n')}`;
}
