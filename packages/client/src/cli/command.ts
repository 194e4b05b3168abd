import type { Launchwire } from '../client.ts';
import { UsageError } from './failures.ts';
import type { Output } from './output.ts';
import type { Settings } from './settings.ts';

/** An option of a command; all take `--name value` or, as a flag, `--name`. */
export interface Option {
  kind: 'text' | 'flag';
  /** Its meaning, format and unit. */
  help: string;
  /** Shown in place of the value. */
  value?: string;
  /** The accepted values. */
  choices?: readonly string[];
  default?: string;
  required?: boolean;
}

export interface Argument {
  name: string;
  help: string;
  required: boolean;
}

/** The inputs of a running command. */
export interface Invocation {
  arguments: Readonly<Record<string, string | undefined>>;
  options: Readonly<Record<string, string | true | undefined>>;
  settings: Settings;
  output: Output;
  /** Ctrl-C. */
  signal: AbortSignal;
  /** Ends a command that runs without a limit, as Ctrl-C does. */
  stop(): void;
  /** Created at its first use, with address and key from the settings. */
  client(): Launchwire;
}

export interface Command {
  /** One word, or two: a group and its verb. */
  name: string;
  summary: string;
  /** Details beyond the summary. */
  details?: string;
  arguments: readonly Argument[];
  options: Readonly<Record<string, Option>>;
  /** Complete command lines. */
  examples: readonly string[];
  run(invocation: Invocation): Promise<void>;
}

/** The text of an option that has a default or is required. */
export function textOf({ options }: Invocation, name: string): string {
  const value = options[name];
  if (typeof value !== 'string') throw new UsageError(`--${name} is needed`);
  return value;
}

/** A whole number from `least` to `most`, or undefined where the option is absent. */
export function numberOf(
  { options }: Invocation,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const value = options[name];
  if (value === undefined || value === true) return undefined;
  const number = Number(value);
  if (/^\d{1,9}$/.test(value) && number >= least && number <= most) return number;
  throw new UsageError(`--${name} is a whole number from ${least} to ${most}, not "${value}"`);
}

/** The text of an argument. */
export function argumentOf({ arguments: given }: Invocation, name: string): string {
  const value = given[name];
  if (value === undefined) throw new UsageError(`<${name}> is needed`);
  return value;
}
