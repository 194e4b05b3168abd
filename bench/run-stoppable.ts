import { constants } from 'node:os';
import { onStopSignal } from '../sandbox/services/stop-signal.ts';
import { NotFoundError } from './read-arguments.ts';

/**
 * Runs a command of the bench and ends the process with the code that it returns. At a stop signal the command's own
 * signal aborts; when the command has ended what it started, the process exits as one that was killed by that signal.
 */
export async function runStoppable(command: (signal: AbortSignal) => Promise<number>): Promise<never> {
  const controller = new AbortController();
  let stopCode = 0;
  const codeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];
  onStopSignal(
    (signal) => {
      stopCode = codeOf(signal);
      console.error(`stopping (${signal}) …`);
      controller.abort(signal);
    },
    (signal) => process.exit(codeOf(signal)),
  );
  try {
    const code = await command(controller.signal);
    process.exit(stopCode || code);
  } catch (error) {
    if (stopCode !== 0) process.exit(stopCode);
    if (!(error instanceof NotFoundError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
