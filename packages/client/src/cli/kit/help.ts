import { type Declaration, examplesOf, groupOf, type Program, verbsOf } from './command.ts';
import type { Option, Options } from './option.ts';

/** Describes the program and its commands, or its groups where they have subjects. */
export function programHelp({
  name,
  about,
  commands,
  groups,
  globalOptions,
  notes,
}: Program<Declaration>): string {
  const rows =
    groups === undefined
      ? commands.map((command): Row => [command.name, command.summary])
      : Object.entries(groups).map(([group, subject]): Row => {
          const verbs = verbsOf(commands, group);
          return [group, verbs.length === 0 ? subject : `${subject}: ${verbs.join(', ')}`];
        });
  return [
    `${about}.`,
    '',
    `Usage: ${name} <command> [options]`,
    '',
    'Commands:',
    ...aligned(rows),
    '',
    'Options of every command:',
    ...aligned([...optionRows(globalOptions), ['--version', 'print the version alone']]),
    '',
    notes,
    '',
    `More: ${name} <command> --help`,
  ].join('\n');
}

/** Describes the commands of a group. */
export function groupHelp({ name, commands, groups }: Program<Declaration>, group: string): string {
  const own = commands.filter((command) => groupOf(command) === group);
  return [
    ...(groups === undefined ? [] : [`${groups[group]}.`, '']),
    `Usage: ${name} ${group} <verb> [options]`,
    '',
    'Commands:',
    ...aligned(own.map((command): Row => [command.name, command.summary])),
    '',
    `More: ${name} ${group} <verb> --help`,
  ].join('\n');
}

/** Describes a command with its arguments and options, and gives examples. */
export function commandHelp(
  { name: program, globalOptions }: Program<Declaration>,
  command: Declaration,
): string {
  const { name, summary, details, arguments: positions = {}, options = {} } = command;
  const examples = examplesOf(command);
  const all = Object.values(options);
  const usage = [
    program,
    name,
    ...Object.entries(positions).map(([word, option]) => bracketed(`<${word}>`, option)),
    ...synopsis(options).filter((_, at) => all[at]?.required === true),
    ...(all.every((option) => option.required === true) ? [] : ['[options]']),
  ];
  const rows = [
    ...Object.entries(positions).map(([word, option]): Row => [`<${word}>`, explained(option)]),
    ...optionRows(options),
  ];
  return [
    `${summary}.`,
    ...(details === undefined ? [] : ['', details]),
    '',
    `Usage: ${usage.join(' ')}`,
    ...(rows.length === 0 ? [] : ['', 'Options:', ...aligned(rows)]),
    '',
    'Options of every command:',
    ...aligned(optionRows(globalOptions)),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  ${program} ${`${name} ${example}`.trim()}`),
  ].join('\n');
}

/** Options for a usage line, optional ones in brackets. */
export function synopsis(options: Options): string[] {
  return Object.entries(options).map(([name, option]) => bracketed(spelled(name, option), option));
}

type Row = readonly [left: string, right: string];

const optionRows = (options: Options) =>
  Object.entries(options).map(([name, option]): Row => [spelled(name, option), explained(option)]);

function bracketed(spelling: string, option: Option): string {
  return option.required === true ? spelling : `[${spelling}]`;
}

function spelled(name: string, { format }: Option): string {
  return format === '' ? `--${name}` : `--${name} <${format}>`;
}

function explained({ help, format, required, isList, choices, default: value, ifUnset }: Option): string {
  // The format already shows a short list.
  const values = choices === undefined || format === choices.join('|') ? null : choices.join(', ');
  return [
    help,
    ...(values === null ? [] : [`${isList === true ? 'one or more of' : 'one of'} ${values}`]),
    ...(isList === true ? ['may be repeated'] : []),
    ...(required === true ? ['required'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
    ...(ifUnset === undefined ? [] : [`if unset, ${ifUnset}`]),
  ].join('; ');
}

/** A longer left cell gets a line of its own. */
const LEFT_MAX = 34;

/** Aligns two columns. */
function aligned(rows: readonly Row[]): string[] {
  const width = Math.min(LEFT_MAX, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
