import { editDistance, nearest } from '../shared/nearest.ts';
import { type Command, type OptionValues, UsageError } from './command.ts';
import type { CommandOption } from './option.ts';

/**
 * The request of a command line: help of the program, of a group or of a command, the version, or a command
 * to run.
 */
export type Invocation =
  | { kind: 'help'; group?: string; command?: Command }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; options: OptionValues; json: boolean; yes: boolean };

/** A word that differs in more letters is no misspelling. */
const TYPOS_MAX = 3;

/** Options of every command. */
const common: Readonly<Record<string, CommandOption>> = {
  json: { description: 'print one JSON object', format: '' },
  yes: { description: 'do not ask before an irreversible action', format: '' },
  help: { description: 'explain the command', format: '' },
};

/** Finds the command of a command line and its options. Throws UsageError. */
export function parseInvocation(commands: readonly Command[], args: readonly string[]): Invocation {
  const [first, ...others] = args;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help' };
  if (first === '--version' || first === '-v') return { kind: 'version' };
  const words = first === 'help' ? [...others, '--help'] : args;
  const [group = '', second = '', ...rest] = words;
  if (group === '--help') return { kind: 'help' };
  if (group.startsWith('-')) throw usageError(`${group} comes after a group and a verb`, '');
  const verbs = commands.filter((command) => command.group === group);
  if (verbs.length === 0) throw unknownWord('group', group, [...new Set(commands.map((one) => one.group))]);
  const single = verbs.find(({ verb }) => verb === '');
  if (single !== undefined) return readOptions(single, [...(second === '' ? [] : [second]), ...rest]);
  if (second === '--help' || second === '-h') return { kind: 'help', group };
  const command = verbs.find(({ verb }) => verb === second);
  if (command !== undefined) return readOptions(command, rest);
  const names = verbs.map(({ verb }) => verb);
  if (second === '') throw usageError(`${group} needs a verb: ${names.join(', ')}`, group);
  throw unknownWord(`verb of ${group}`, second, names, group);
}

/** The command as a user writes it: `key create`, `doctor`. */
export function nameOf({ group, verb }: Command): string {
  return `${group} ${verb}`.trim();
}

function readOptions(command: Command, args: readonly string[]): Invocation {
  const name = nameOf(command);
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { kind: 'help', command };
  const given = new Map<string, string>();
  const known = { ...common, ...command.options };
  for (let at = 0; at < args.length; at += 1) {
    const [option, inline] = splitOption(args[at] ?? '', name);
    const definition = Object.hasOwn(known, option) ? known[option] : undefined;
    if (definition === undefined) throw unknownWord('option', option, Object.keys(known), name, '--');
    let value = inline;
    if (definition.format === '') {
      if (inline !== undefined) throw usageError(`--${option} takes no value`, name);
      value = 'true';
    } else if (value === undefined) {
      at += 1;
      value = args[at];
      if (value === undefined || value.startsWith('--'))
        throw usageError(`--${option} needs a value: --${option} <${definition.format}>`, name);
    }
    const before = given.get(option);
    if (before !== undefined && definition.isList !== true)
      throw usageError(`--${option} is given twice`, name);
    given.set(option, before === undefined ? (value ?? '') : `${before},${value}`);
  }
  const { json, yes, ...options } = Object.fromEntries(given);
  checkOptions(command, options);
  return { kind: 'run', command, options, json: json === 'true', yes: yes === 'true' };
}

/** Splits `--name=value` or `--name`. */
function splitOption(arg: string, command: string): [name: string, value: string | undefined] {
  if (!arg.startsWith('--'))
    throw usageError(
      `${JSON.stringify(arg)} belongs to no option: a value follows the name of its option`,
      command,
    );
  const equals = arg.indexOf('=');
  return equals === -1 ? [arg.slice(2), undefined] : [arg.slice(2, equals), arg.slice(equals + 1)];
}

/** Throws UsageError with all missing required options and all invalid values. */
export function checkOptions(command: Command, values: OptionValues): void {
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const [option, { required, check }] of Object.entries(command.options)) {
    const value = values[option];
    if (value === undefined && required === true) missing.push(`--${option}`);
    const expectation = value === undefined ? null : (check?.(value) ?? null);
    if (expectation !== null) wrong.push(`--${option} ${expectation}`);
  }
  const last = missing.pop();
  const absent =
    missing.length === 0 ? `${last} is required` : `${missing.join(', ')} and ${last} are required`;
  const mistakes = last === undefined ? wrong : [absent, ...wrong];
  if (mistakes.length > 0) throw usageError(mistakes.join('; '), nameOf(command));
}

function unknownWord(
  what: string,
  word: string,
  known: readonly string[],
  command = '',
  prefix = '',
): UsageError {
  const meant = nearest(word, known) ?? '';
  // A short word without a common letter is no misspelling.
  const typosMax = Math.min(TYPOS_MAX, word.length - 1);
  const suggestion = editDistance(word, meant) <= typosMax ? `; did you mean ${prefix}${meant}?` : '';
  return usageError(`there is no ${what} ${prefix}${word}${suggestion}`, command);
}

function usageError(message: string, command: string): UsageError {
  const error = new UsageError(message);
  error.command = command;
  return error;
}
