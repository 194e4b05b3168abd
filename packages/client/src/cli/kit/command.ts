import type { Options } from './option.ts';

/** What help, completion and parser know of a command. */
export interface Declaration {
  /** One word, or two: a group and its verb. */
  name: string;
  /** One sentence without a full stop. */
  summary: string;
  /** Sentences beyond the summary. */
  details?: string;
  /** Values that follow the name, in this order; optional ones come last. */
  arguments?: Options;
  options?: Options;
  /** The words after the name in example calls. Default: the examples of the arguments. */
  examples?: readonly string[];
}

/** A program with commands. */
export interface Program<Command extends Declaration> {
  /** The words that start it. */
  name: string;
  /** What begins a message of an error, if anything. */
  errorPrefix?: string;
  /** One sentence for its help. */
  about: string;
  commands: readonly Command[];
  /** The subject of each group: the help then lists groups instead of commands. */
  groups?: Readonly<Record<string, string>>;
  /** Options of every command. */
  globalOptions: Options;
  /** What the help says after the commands. */
  notes: string;
  version: string;
}

/** Values by the name of their option or argument; a flag that is set is `true`. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The group or command whose help explains more; empty for the program. */
  command: string;

  constructor(message: string, command = '') {
    super(message);
    this.command = command;
  }
}

export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, stopped: 130 } as const;

/** The value of an option that is required here. */
export function need(options: Values, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/** The value of an argument that is required here. */
export function needArgument(values: Values, name: string): string {
  const value = values[name];
  if (value === undefined) throw new UsageError(`<${name}> is required`);
  return value;
}

/** The number of an option whose check takes numbers alone. */
export function numberOr<IfUnset extends number | null | undefined>(
  options: Values,
  name: string,
  ifUnset: IfUnset,
): number | IfUnset {
  const value = options[name];
  return value === undefined ? ifUnset : Number(value);
}

export function has(options: Values, name: string): boolean {
  return options[name] === 'true';
}

/** The words after the name in each example call. */
export function examplesOf({ arguments: positions = {}, examples }: Declaration): readonly string[] {
  return (
    examples ?? [
      Object.values(positions)
        .flatMap(({ example = [] }) => example)
        .join(' '),
    ]
  );
}

/** The first word of a name with two; undefined for a name with one. */
export function groupOf({ name }: Declaration): string | undefined {
  const [group, verb] = name.split(' ');
  return verb === undefined ? undefined : group;
}

/** The verbs of a group. */
export function verbsOf(commands: readonly Declaration[], group: string): string[] {
  return commands
    .filter((command) => groupOf(command) === group)
    .map(({ name }) => name.slice(group.length + 1));
}

/** The groups, and the commands outside a group. */
export function firstWords(commands: readonly Declaration[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}
