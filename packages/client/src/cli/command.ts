import type { Launchwire } from '../client.ts';
import type { Declaration, Values } from './kit/command.ts';
import type { Output } from './kit/output.ts';
import type { Settings } from './settings.ts';

/** The inputs of a running command. */
export interface Invocation {
  arguments: Values;
  options: Values;
  settings: Settings;
  output: Output;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  /** Ends a command that runs without a limit, as Ctrl-C does. */
  stop(): void;
  /** Returns a client of the address and key of the settings, which it makes at its first call. */
  client(): Launchwire;
}

export interface Command extends Declaration {
  run(invocation: Invocation): Promise<void>;
}

/** The command did not succeed: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  /** The code of a delivery that the service would list for it. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** The fields that are not undefined. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
