import { Refusal } from '../shared/refusal.ts';
import type { AdminDependencies } from './admin-dependencies.ts';

/** One option of a command: `--name <value>`. */
export interface CommandOption {
  description: string;
  required?: boolean;
  /** A flag takes no value. */
  flag?: boolean;
}

export type OptionValues = Readonly<Record<string, string | undefined>>;

/** `bun run admin <group> <verb>`. */
export interface Command {
  group: string;
  verb: string;
  summary: string;
  options: Readonly<Record<string, CommandOption>>;
  /** Returns what is printed: one JSON object with `--json`. Throws CommandRefused or UsageError. */
  run(context: AdminDependencies, options: OptionValues): Promise<Record<string, unknown>>;
}

/** The command was understood and could not be done; exit code 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of a required option. */
export function need(options: OptionValues, name: string): string {
  const value = options[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/** A positive whole number, or the default when the option is absent. */
export function wholeNumber<Default extends number | null>(
  options: OptionValues,
  name: string,
  whenAbsent: Default,
): number | Default {
  const text = options[name];
  if (text === undefined) return whenAbsent;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--${name} must be a positive whole number`);
  return Number(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function needUuid(options: OptionValues, name: string): string {
  const value = need(options, name);
  if (!UUID.test(value)) throw new UsageError(`--${name} must be a UUID`);
  return value;
}

/** Parses JSON given on the command line or in a file. */
export function parseJsonOption(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} must be valid JSON`);
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
