import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { has, type Values } from '../../packages/client/src/cli/kit/command.ts';
import { visible } from '../../packages/client/src/cli/kit/visible.ts';
import { type Command, CommandRefused, type ReportProgress } from './command.ts';

/**
 * Asks before an irreversible action. Throws CommandRefused if the answer is no, or if there is no terminal to ask at
 * (contract/processes#confirmation).
 */
export async function confirm(
  { destroys }: Command,
  options: Values,
  { stdin, stderr }: { stdin: Readable & { isTTY?: boolean }; stderr: Writable & { isTTY?: boolean } },
): Promise<void> {
  if (destroys === undefined || has(options, 'yes')) return;
  if (destroys.onlyWith !== undefined && !has(options, destroys.onlyWith)) return;
  const warning = visible(destroys.warning(options));
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  if (has(options, 'json') || !isTerminal) {
    if (destroys.isPromisedToScripts === true) return;
    throw new CommandRefused(`${warning}: add --yes to do it without being asked`);
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  // The end of the input is no consent.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${warning}. Go on? [y/N] `), ended]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}

const BAR_CELLS = 24;

/** A progress bar on standard error, if that is a terminal; `end` removes it. */
export function progressBar(stderr: Writable & { isTTY?: boolean }): { report: ReportProgress; end(): void } {
  if (stderr.isTTY !== true) return { report: () => {}, end: () => {} };
  let isShown = false;
  return {
    report(done, total, unit) {
      isShown = true;
      stderr.write(`\r\u001b[K${progressText(done, total, unit)}`);
    },
    end() {
      if (isShown) stderr.write('\r\u001b[K');
    },
  };
}

/** The text of a progress bar. */
export function progressText(done: number, total: number | null, unit: string): string {
  if (total === null) return `${done} ${unit}`;
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(part * BAR_CELLS);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR_CELLS - filled);
  return `[${bar}] ${Math.floor(part * 100)} %  ${done} of ${total} ${unit}`;
}
