import { readFile } from 'node:fs/promises';
import { Refusal } from '../shared/refusal.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import type { CommandOption } from './option.ts';

export type OptionValues = Readonly<Record<string, string | undefined>>;

/** How far a long command is. @param total null while it is not known */
export type ReportProgress = (done: number, total: number | null, unit: string) => void;

/** `npm run admin -- <group> <verb>`: everything that help, documentation, parser and process know of it. */
export interface Command {
  group: string;
  /** Empty for a group that is one command. */
  verb: string;
  /** What it does, in one sentence without a full stop. */
  summary: string;
  options: Readonly<Record<string, CommandOption>>;
  /** Options of a call that works where the things it names exist. */
  example: string;
  /** What is lost, for verbs that nothing takes back. */
  destroys?: {
    warning(options: OptionValues): string;
    /** Scripts were promised it as it is (contract/processes#commands): without a terminal it goes ahead without `--yes`. */
    isPromisedToScripts?: true;
  };
  /**
   * Returns what is printed: one JSON object with `--json`. Options have passed their checks. Throws CommandRefused,
   * UsageError, Refusal or Problem.
   */
  run(
    context: AdminDependencies,
    options: OptionValues,
    report: ReportProgress,
  ): Promise<Record<string, unknown>>;
  /** Whether the exit code is 1 although the result is printed. */
  isFailure?(result: Record<string, unknown>): boolean;
}

/** The command was understood and could not be done; exit code 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help says more; empty for the program. */
  command = '';
}

/** The value of a required option. */
export function need(options: OptionValues, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/** A UUID as the database writes it. */
export function needUuid(options: OptionValues, name: string): string {
  return need(options, name).toLowerCase();
}

/** A whole number, or the default when the option is absent. */
export function numberOr<Default extends number | null>(
  options: OptionValues,
  name: string,
  whenAbsent: Default,
): number | Default {
  const value = options[name];
  return value === undefined ? whenAbsent : Number(value);
}

/** Whether a flag is given. */
export function has(options: OptionValues, name: string): boolean {
  return options[name] === 'true';
}

/** The JSON in the file that `--file` names; `-` is standard input. */
export async function readJsonFile(options: OptionValues): Promise<unknown> {
  const file = need(options, 'file');
  const json = await (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch((error) => {
    throw new UsageError(
      `--file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  });
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('--file must be valid JSON');
  }
}

/** What a service refuses about a field that an option gives is a mistake of the command line. */
export async function refusedAsUsage<Value>(
  options: Readonly<Record<string, string>>,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const option = error instanceof Refusal ? options[error.field] : undefined;
    throw option === undefined ? error : new UsageError(`--${option}: ${(error as Refusal).message}`);
  }
}
