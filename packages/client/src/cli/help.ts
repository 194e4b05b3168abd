import type { Argument, Command, Option } from './command.ts';
import { commands } from './commands.ts';
import { globalOptions } from './global-options.ts';

const ENVIRONMENT = `Environment:
  LAUNCHWIRE_URL             address of the deployment
  LAUNCHWIRE_API_KEY         key of your account; tokens, trades, quote and trigger need none
  LAUNCHWIRE_WEBHOOK_SECRET  whsec_… that listen and trigger sign with; a new one unless set
`;

const EXIT_CODES = `Exit codes:
  0  done
  1  the API refused it, or the transaction did not confirm
  2  the command line is wrong
  3  the deployment or the local receiver cannot be reached
`;

/** The text of `launchwire --help`. */
export function generalHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `The command line of the Launchwire API.

Usage: launchwire <command> [options]

Commands:
${list}
${ENVIRONMENT}
${EXIT_CODES}
launchwire <command> --help explains a command, with an example.
`;
}

/** The text of `launchwire <group> --help`; undefined where the word is no group. */
export function groupHelp(group: string): string | undefined {
  const verbs = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (verbs.length === 0) return undefined;
  const width = Math.max(...verbs.map(({ name }) => name.length));
  const list = verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `Usage: launchwire ${group} <verb> [options]\n\nVerbs:\n${list}\nlaunchwire ${group} <verb> --help explains one, with an example.\n`;
}

/** The text of `launchwire <command> --help`. */
export function commandHelp(command: Command): string {
  const { name, summary, details, arguments: declared, options, examples } = command;
  const placeholders = declared.map((argument) =>
    argument.required ? `<${argument.name}>` : `[${argument.name}]`,
  );
  const usage = ['launchwire', name, ...placeholders, '[options]'].join(' ');
  const rows = [
    ...declared.map(argumentRow),
    ...Object.entries({ ...options, ...globalOptions }).map(optionRow),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  const table = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
  const more = details === undefined ? '' : `\n${details}\n`;
  const lines = examples.map((example) => `  ${example}\n`).join('');
  return `${summary}\n${more}\nUsage: ${usage}\n\n${table}\nExample:\n${lines}`;
}

function argumentRow({ name, help }: Argument): [string, string] {
  return [`<${name}>`, help];
}

function optionRow([name, option]: [string, Option]): [string, string] {
  const { kind, value = 'TEXT', choices, help, required } = option;
  const left = kind === 'flag' ? `--${name}` : `--${name} ${choices?.join('|') ?? value}`;
  const facts = [
    required === true && 'required',
    option.default !== undefined && `default ${option.default}`,
  ];
  const shown = facts.filter((fact) => fact !== false);
  return [left, shown.length === 0 ? help : `${help} (${shown.join(', ')})`];
}
