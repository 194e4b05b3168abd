import { readFile } from 'node:fs/promises';
import { Refusal } from '../shared/refusal.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import type { CommandOption } from './option.ts';

export type OptionValues = Readonly<Record<string, string | undefined>>;

/** Reports the progress of a long command. @param total null while it is unknown */
export type ReportProgress = (done: number, total: number | null, unit: string) => void;

/** `npm run admin -- <group> <verb>`: one command, for help, documentation, parser and process. */
export interface Command {
  group: string;
  /** Empty for a group with a single command. */
  verb: string;
  /** One sentence about the command, without a full stop. */
  summary: string;
  options: Readonly<Record<string, CommandOption>>;
  /** Options of an example call; it works where the records in it exist. */
  example: string;
  /** The data that an irreversible verb destroys. */
  destroys?: {
    warning(options: OptionValues): string;
    /** The flag without which nothing is destroyed. */
    onlyWith?: string;
    /**
     * Scripts rely on this verb (contract/processes#commands): without a terminal it runs without `--yes`.
     */
    isPromisedToScripts?: true;
  };
  /**
   * Returns the result to print, as one JSON object with `--json`. Options have passed their checks. Throws
   * CommandRefused, UsageError, Refusal or Problem.
   */
  run(
    context: AdminDependencies,
    options: OptionValues,
    report: ReportProgress,
  ): Promise<Record<string, unknown>>;
  /** True when the exit code is 1 although the result is printed. */
  isFailure?(result: Record<string, unknown>): boolean;
}

/** The command is valid and could not be done; exit code 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help explains more; empty for the program. */
  command = '';
}

/** Returns the value of a required option. */
export function need(options: OptionValues, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/** Returns a UUID as the database writes it. */
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

export function has(options: OptionValues, name: string): boolean {
  return options[name] === 'true';
}

/** Reads the JSON in the file that `--file` names; `-` is standard input. */
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

/** Converts a service's refusal of an option's field to a mistake in the command line. */
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
