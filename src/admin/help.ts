import type { Command } from './command.ts';
import { nameOf } from './invocation.ts';
import type { CommandOption } from './option.ts';

/** Command line of the program. */
export const PROGRAM = 'npm run -s admin --';

const everywhere: readonly [string, string][] = [
  ['--json', 'print exactly one JSON object on standard output'],
  ['--yes', 'do not ask before an irreversible action'],
  ['--help', 'explain the program, a group or a command'],
];

/** Describes the program and its groups. */
export function programHelp(commands: readonly Command[], groups: Readonly<Record<string, string>>): string {
  const rows = Object.entries(groups).map(([group, about]): [string, string] => {
    const verbs = verbsOf(commands, group).filter((verb) => verb !== '');
    return [group, verbs.length === 0 ? about : `${about}: ${verbs.join(', ')}`];
  });
  return [
    'Administers a deployment: works on DATABASE_URL or, if that is unset, on the running sandbox.',
    '',
    `Usage: ${PROGRAM} <group> <verb> [options]`,
    '',
    'Groups:',
    ...aligned(rows),
    '',
    'Options of every command:',
    ...aligned([...everywhere, ['--version', 'print version and commit, alone']]),
    '',
    'Exit codes: 0 done, 1 refused, 2 usage.',
    `More: ${PROGRAM} <group> --help, ${PROGRAM} <group> <verb> --help`,
  ].join('\n');
}

/** Describes the verbs of a group. */
export function groupHelp(commands: readonly Command[], group: string, about: string): string {
  const ofGroup = commands.filter((command) => command.group === group);
  return [
    `${about}.`,
    '',
    `Usage: ${PROGRAM} ${group} <verb> [options]`,
    '',
    'Verbs:',
    ...aligned(ofGroup.map(({ verb, summary }) => [verb, summary])),
    '',
    `More: ${PROGRAM} ${group} <verb> --help`,
  ].join('\n');
}

/** Describes a command and its options, with an example. */
export function commandHelp(command: Command): string {
  const { summary, options, example, destroys } = command;
  const name = nameOf(command);
  const rows = Object.entries(options).map(([option, definition]): [string, string] => [
    spelled(option, definition),
    explained(definition),
  ]);
  return [
    `${summary}.`,
    '',
    `Usage: ${PROGRAM} ${[name, ...synopsis(options)].join(' ')}`,
    ...(rows.length === 0 ? [] : ['', 'Options:', ...aligned(rows)]),
    '',
    'Options of every command:',
    ...aligned(everywhere),
    ...(destroys === undefined ? [] : ['', confirmationRule(destroys)]),
    '',
    'Example:',
    `  ${PROGRAM} ${`${name} ${example}`.trim()}`,
  ].join('\n');
}

/** Options for a usage line, optional ones in brackets. */
export function synopsis(options: Readonly<Record<string, CommandOption>>): string[] {
  return Object.entries(options).map(([option, definition]) =>
    definition.required === true ? spelled(option, definition) : `[${spelled(option, definition)}]`,
  );
}

function spelled(option: string, { format }: CommandOption): string {
  return format === '' ? `--${option}` : `--${option} <${format}>`;
}

function explained({
  description,
  format,
  required,
  isList,
  choices,
  default: value,
}: CommandOption): string {
  // The format already shows a short list.
  const values = choices === undefined || format === choices.join('|') ? null : choices.join(', ');
  return [
    description,
    ...(values === null ? [] : [`${isList === true ? 'one or more of' : 'one of'} ${values}`]),
    ...(isList === true ? ['may be repeated'] : []),
    ...(required === true ? ['required'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
  ].join('; ');
}

function confirmationRule({ isPromisedToScripts, onlyWith }: NonNullable<Command['destroys']>): string {
  const asks = onlyWith === undefined ? 'Asks' : `With --${onlyWith}: asks`;
  return isPromisedToScripts === true
    ? `${asks} on a terminal, unless --yes is given.`
    : `${asks} on a terminal. If there is no terminal, or with --json, it is refused unless --yes is given.`;
}

function verbsOf(commands: readonly Command[], group: string): string[] {
  return commands.filter((command) => command.group === group).map(({ verb }) => verb);
}

/** Aligns two columns; a left cell that is too long gets a line of its own. */
function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
