import {
  type Declaration,
  firstWords,
  groupOf,
  type Program,
  UsageError,
  type Values,
  verbsOf,
} from './command.ts';
import { nearest, question } from './nearest.ts';
import type { Options } from './option.ts';

/** What a command line asks for: the version, the help of the program, a group or a command, or a command to run. */
export type Request<Command extends Declaration> =
  | { kind: 'help'; group?: string; command?: Command }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; arguments: Values; options: Values };

type Grammar<Command extends Declaration> = Pick<Program<Command>, 'commands' | 'globalOptions'>;

/** Reads a command line. Throws a `UsageError` with the nearest word, or with all missing and wrong options. */
export function readLine<Command extends Declaration>(
  grammar: Grammar<Command>,
  words: readonly string[],
): Request<Command> {
  const [first, ...others] = words;
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === 'help') return readLine(grammar, [...others, '--help']);
  const line = commandFirst(words, grammar.globalOptions);
  const [word, second = ''] = line;
  if (word === undefined || word.startsWith('-')) {
    if (word === undefined || line.some(isHelp)) return { kind: 'help' };
    throw new UsageError('a command is needed');
  }
  const { commands } = grammar;
  const command =
    commands.find(({ name }) => name === `${word} ${second}`) ?? commands.find(({ name }) => name === word);
  if (command !== undefined) {
    const rest = line.slice(command.name.split(' ').length);
    if (rest.some(isHelp)) return { kind: 'help', command };
    const options = { ...grammar.globalOptions, ...command.options };
    const declaration = { ...command, options };
    return { kind: 'run', command, ...checkValues(declaration, readValues(declaration, rest)) };
  }
  if (isHelp(second) && commands.some((one) => groupOf(one) === word)) return { kind: 'help', group: word };
  throw unknownCommand(commands, word, second);
}

const isHelp = (word: string) => word === '--help' || word === '-h';

/** Moves global options from before the command to after it. Throws a `UsageError` for other options there. */
function commandFirst(words: readonly string[], globalOptions: Options): string[] {
  const options: string[] = [];
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    const [spelling = '', value] = splitOnce(word);
    const name = spelling.replace(/^--?/, '');
    const option = Object.hasOwn(globalOptions, name) ? globalOptions[name] : undefined;
    if (!isHelp(word) && (option === undefined || !word.startsWith('--')))
      throw unknownOption(spelling, [...Object.keys(globalOptions), 'version'], '');
    options.push(word);
    at += 1;
    const isValueNext = option !== undefined && option.format !== '' && value === undefined;
    if (!isValueNext || words[at] === undefined) continue;
    options.push(words[at] ?? '');
    at += 1;
  }
  return [...words.slice(at), ...options];
}

function unknownCommand(commands: readonly Declaration[], word: string, second: string): UsageError {
  const verbs = verbsOf(commands, word);
  if (verbs.length === 0)
    return new UsageError(
      `there is no command ${JSON.stringify(word)}${question(nearest(word, firstWords(commands)))}`,
    );
  const isVerb = second !== '' && !second.startsWith('-');
  const unknown = isVerb ? `, not ${JSON.stringify(second)}${question(nearest(second, verbs))}` : '';
  return new UsageError(`${word} needs one of ${verbs.join(', ')}${unknown}`, word);
}

/** Arguments and options of a command by name. Throws a `UsageError` for what it does not have. */
function readValues(
  { name: command, arguments: positions = {}, options: definitions = {} }: Declaration,
  words: readonly string[],
): { arguments: Values; options: Values } {
  const options = new Map<string, string>();
  const positional: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      positional.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positional.push(word);
      continue;
    }
    const [spelling = '', inline] = splitOnce(word);
    const name = spelling.slice(2);
    const option = word.startsWith('--') && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (option === undefined) throw unknownOption(spelling, Object.keys(definitions), command);
    let value = inline;
    if (option.format === '') {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value`, command);
      value = 'true';
    } else if (value === undefined) {
      at += 1;
      value = words[at];
      if (value === undefined || value.startsWith('--'))
        throw new UsageError(`--${name} needs a value: --${name} <${option.format}>`, command);
    }
    const before = options.get(name);
    if (before !== undefined && option.isList !== true)
      throw new UsageError(`--${name} is given twice`, command);
    options.set(name, before === undefined ? value : `${before},${value}`);
  }
  const names = Object.keys(positions);
  if (positional.length > names.length)
    throw new UsageError(`${JSON.stringify(positional[names.length])} is one argument too many`, command);
  return {
    arguments: Object.fromEntries(names.map((name, at) => [name, positional[at]])),
    options: Object.fromEntries(options),
  };
}

/** Adds the defaults of options. Throws a `UsageError` with everything that is missing or wrong. */
export function checkValues(
  { name: command, arguments: positions = {}, options: definitions = {} }: Declaration,
  values: { arguments: Values; options: Values },
): { arguments: Values; options: Values } {
  const mistakes = [
    ...mistakesOf(positions, values.arguments, (name) => `<${name}>`),
    ...mistakesOf(definitions, values.options, (name) => `--${name}`),
  ];
  if (mistakes.length > 0) throw new UsageError(sentenceOf(mistakes), command);
  const defaults = Object.entries(definitions).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { arguments: values.arguments, options: { ...Object.fromEntries(defaults), ...values.options } };
}

/** `--name=value` as name and value. */
function splitOnce(word: string): [name: string, value?: string] {
  const equals = word.indexOf('=');
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

function unknownOption(spelling: string, names: readonly string[], command: string): UsageError {
  const guess = nearest(spelling.replace(/^-+/, ''), names);
  return new UsageError(`there is no option ${spelling}${question(guess && `--${guess}`)}`, command);
}

/** A value that is missing, or what is wrong with it. */
interface Mistake {
  spelling: string;
  /** Null for a missing value. */
  expectation: string | null;
}

function mistakesOf(definitions: Options, values: Values, spell: (name: string) => string): Mistake[] {
  return Object.entries(definitions).flatMap(([name, option]): Mistake[] => {
    const value = values[name];
    if (value === undefined)
      return option.required === true ? [{ spelling: spell(name), expectation: null }] : [];
    const expectation = option.check?.(value) ?? null;
    return expectation === null ? [] : [{ spelling: spell(name), expectation }];
  });
}

function sentenceOf(mistakes: readonly Mistake[]): string {
  const missing = mistakes.filter(({ expectation }) => expectation === null);
  const wrong = mistakes.filter(({ expectation }) => expectation !== null);
  const names = missing.map(({ spelling }) => spelling);
  const last = names.pop();
  const absent = names.length === 0 ? `${last} is required` : `${names.join(', ')} and ${last} are required`;
  return [
    ...(last === undefined ? [] : [absent]),
    ...wrong.map(({ spelling, expectation }) => `${spelling} ${expectation}`),
  ].join('; ');
}
