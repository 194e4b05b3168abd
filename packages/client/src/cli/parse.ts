import { parseArgs } from 'node:util';
import type { Command, Option } from './command.ts';
import { commands } from './commands.ts';
import { UsageError } from './failures.ts';
import { globalOptions } from './global-options.ts';
import { nearest, question } from './nearest.ts';

export interface ParsedLine {
  command: Command;
  arguments: Record<string, string | undefined>;
  options: Record<string, string | true | undefined>;
}

/** The command that the words name, with the words after its name. Throws a `UsageError` with the nearest name. */
export function findCommand(words: readonly string[]): { command: Command; rest: string[] } {
  const [first = '', second = ''] = words;
  const found =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (found !== undefined) return { command: found, rest: words.slice(found.name.split(' ').length) };
  const verbs = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (verbs.length > 0) {
    const words = verbs.map((name) => name.split(' ')[1] ?? '');
    const isGiven = second !== '' && !second.startsWith('-');
    const given = isGiven ? `, not "${second}"${question(nearest(second, words))}` : '';
    throw new UsageError(`${first} needs one of ${words.join(', ')}${given}`);
  }
  const guess = nearest(first, [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]);
  throw new UsageError(`there is no command "${first}"${question(guess)}`);
}

/** Moves global options from before the command to after it. Throws a `UsageError` for other options there. */
export function commandFirst(words: readonly string[]): string[] {
  const options: string[] = [];
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    const [name = ''] = word.replace(/^-+/, '').split('=');
    const option = globalOptions[name];
    if (!word.startsWith('--') || option === undefined)
      throw unknownOption(
        word.split('=')[0] ?? word,
        nearest(name, [...Object.keys(globalOptions), 'version']),
      );
    options.push(word);
    at += 1;
    const isValueNext = option.kind === 'text' && !word.includes('=') && words[at] !== undefined;
    if (!isValueNext) continue;
    options.push(words[at] ?? '');
    at += 1;
  }
  return [...words.slice(at), ...options];
}

/** Arguments and options of a command, checked. */
export function parseLine(command: Command, rest: readonly string[]): ParsedLine {
  const known = { ...globalOptions, ...command.options };
  const { values, positionals, tokens } = tokenize(known, rest);
  const options: ParsedLine['options'] = {};
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given twice`);
    seen.add(token.name);
  }
  for (const [name, option] of Object.entries(known)) {
    const value = values[name] ?? option.default;
    if (value === undefined || value === false) continue;
    checkChoice(name, option, value);
    options[name] = value;
  }
  return { command, arguments: nameArguments(command, positionals), options };
}

/** Checks that every required option and argument is given. Not part of parsing, because `--help` needs none of them. */
export function checkComplete({ command, options, arguments: given }: ParsedLine): void {
  for (const { name, required } of command.arguments) {
    if (required && given[name] === undefined) throw new UsageError(`<${name}> is needed`);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required === true && options[name] === undefined) throw new UsageError(`--${name} is needed`);
  }
}

function tokenize(known: Readonly<Record<string, Option>>, rest: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { kind }]) => [
      name,
      kind === 'flag'
        ? { type: 'boolean' as const, ...(name === 'help' && { short: 'h' }) }
        : { type: 'string' as const },
    ]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...rest],
      options,
      allowPositionals: true,
      tokens: true,
    });
    return { values: values as Record<string, string | true | false | undefined>, positionals, tokens };
  } catch (error) {
    const name = /'(--?[\w-]+)/.exec((error as Error).message)?.[1] ?? '';
    const guess = nearest(name.replace(/^-+/, ''), Object.keys(known));
    const isUnknown = (error as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    if (!isUnknown) throw new UsageError((error as Error).message.split('\n')[0] ?? '');
    throw unknownOption(name, guess);
  }
}

function unknownOption(name: string, guess: string | undefined): UsageError {
  return new UsageError(`there is no option ${name}${question(guess && `--${guess}`)}`);
}

function checkChoice(name: string, { choices }: Option, value: string | true): void {
  if (choices === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const guess = typeof value === 'string' ? nearest(value, choices) : undefined;
  throw new UsageError(`--${name} is one of ${choices.join(', ')}, not "${value}"${question(guess)}`);
}

function nameArguments({ arguments: declared }: Command, positionals: readonly string[]) {
  const [extra] = positionals.slice(declared.length);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many`);
  return Object.fromEntries(declared.map(({ name }, index) => [name, positionals[index]]));
}
