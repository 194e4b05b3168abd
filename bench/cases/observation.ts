import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resources } from './resources.ts';

/** Four times as often as Prometheus by default, so that a run of some minutes holds several. */
const SCRAPE_EVERY_MS = 15_000;
const SHOWN_LENGTH = 2_000;

/** Variables of every process of the product that is measured: the log of a deployment, with its access log. */
export const OBSERVED = { LOG_LEVEL: 'info', ACCESS_LOG: 'notable' } as const;

/**
 * Both ends of the pipe are open before its reader starts, so that the reader ends with the process, whenever that is
 * killed. It is no child of the process, and `exec` keeps the process id.
 */
const SCRIPT = [
  'mkfifo "$0.pipe"',
  'exec 3<>"$0.pipe" 4<"$0.pipe" 5>"$0.pipe" 3>&-',
  'rm "$0.pipe"',
  '( cat <&4 >"$0" 2>/dev/null 4<&- 5>&- & )',
  'exec "$@" 2>&5 4<&- 5>&-',
].join(' && ');

export interface DrainedCommand {
  /** A program and its arguments. */
  command: readonly [string, ...string[]];
  /** The end of the log, for the message of a failed start. */
  newestLines(): string;
}

/**
 * A command line whose log (standard error) goes through a pipe to a reader of its own that writes it to a file, as the
 * runtime of a container does. The load generator has no part in it.
 */
export function withDrainedLog(
  folder: string,
  [command, ...args]: readonly [string, ...string[]],
): DrainedCommand {
  const file = join(folder, `${Bun.randomUUIDv7()}.log`);
  return {
    command: ['sh', '-c', SCRIPT, file, command, ...args],
    newestLines() {
      try {
        return readFileSync(file, 'utf8').slice(-SHOWN_LENGTH);
      } catch {
        return '';
      }
    },
  };
}

/** Asks a process for its metrics as Prometheus does, until everything is ended. */
export async function scrapeMetrics(resources: Resources, port: number): Promise<void> {
  const scrape = () =>
    fetch(`http://127.0.0.1:${port}/metrics`)
      .then((response) => response.arrayBuffer())
      // The process is being stopped.
      .catch(() => {});
  await resources.start(
    async () => setInterval(scrape, SCRAPE_EVERY_MS),
    async (timer) => clearInterval(timer),
  );
}
