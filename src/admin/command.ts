import { readFile } from 'node:fs/promises';
import {
  type Declaration,
  need,
  UsageError,
  type Values,
} from '../../packages/client/src/cli/kit/command.ts';
import type { Options } from '../../packages/client/src/cli/kit/option.ts';
import { isUsableWallet } from '../chain/verify-signature.ts';
import { decodeAddress } from '../shared/address.ts';
import type { AdminDependencies } from './admin-dependencies.ts';

/**
 * Reports the progress of a long command.
 * @param total null while it is unknown
 */
export type ReportProgress = (done: number, total: number | null, unit: string) => void;

/** One command of `npm run admin`, for help, documentation, parser and process. */
export interface Command extends Declaration {
  options: Options;
  /** The data that an irreversible verb destroys. */
  destroys?: Destruction;
  /**
   * Returns the result to print, as one JSON object with `--json`. Options have passed their checks. Throws
   * CommandRefused, UsageError, Refusal or Problem.
   */
  run(context: AdminDependencies, options: Values, report: ReportProgress): Promise<Record<string, unknown>>;
  /** True when the exit code is 1 although the result is printed. */
  isFailure?(result: Record<string, unknown>): boolean;
}

export interface Destruction {
  warning(options: Values): string;
  /** The flag that allows it: if unset, nothing is destroyed. */
  onlyWith?: string;
  /**
   * Scripts rely on this verb (contract/processes#commands): where there is no terminal, it needs no `--yes`.
   */
  isPromisedToScripts?: true;
}

/** The command is valid and could not be done; exit code 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Returns a UUID as the database writes it. */
export function needUuid(options: Values, name: string): string {
  return need(options, name).toLowerCase();
}

/** Reads the text of the file that an option names; `-` is standard input. */
export async function readTextFile(options: Values, name: string): Promise<string> {
  const file = need(options, name);
  return (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch((error) => {
    throw new UsageError(
      `--${name} ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  });
}

/** Reads the JSON in the file that `--file` names. */
export async function readJsonFile(options: Values): Promise<unknown> {
  const json = await readTextFile(options, 'file');
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('--file must be valid JSON');
  }
}

/**
 * Requires a wallet whose signatures can be trusted (contract/authentication#pinned-wallet): any other is
 * refused wherever a wallet is pinned.
 */
export function needWallet(options: Values, name: string): string {
  const wallet = need(options, name);
  const publicKey = decodeAddress(wallet);
  if (publicKey === null) throw new UsageError(`--${name} must be a base58 address of 32 bytes`);
  if (!isUsableWallet(publicKey))
    throw new CommandRefused(`--${name} is a small-order point: anyone could sign for it`);
  return wallet;
}
