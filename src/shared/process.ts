import { ConfigurationError } from './configuration-error.ts';
import type { Logger } from './log.ts';
import { describeError } from './log-error.ts';
import { wait } from './loop.ts';
import { createRedactor } from './redact.ts';

/** Longest time to finish the work in progress at the stop signal (contract/processes#shutdown). */
export const STOP_DEADLINE_MS = 15_000;

/**
 * Aborts at the first SIGTERM or SIGINT; the process then finishes its work in progress and exits
 * (contract/processes#shutdown).
 */
export function onStopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => controller.abort(signal);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return controller.signal;
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

/**
 * Repeats `attempt` until it succeeds: a database or broker may start a moment after this process. Logs every
 * failure. Throws only when the signal aborts first.
 */
export async function untilReachable<Value>(
  dependency: string,
  attempt: () => Promise<Value>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<Value> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ dependency, reason, retryInMs: pauseMs }, 'dependency.unreachable');
    }
    await wait(pauseMs, signal);
  }
}

/** The text on stderr when an error ends a process, without `secrets` and credentials of a known form. */
export function fatalErrorText(error: unknown, secrets: readonly string[]): string {
  // It names variables and no values; the redactor would take the form of a URL for a real one.
  if (error instanceof ConfigurationError) return `${error.message}\n`;
  const text = Bun.inspect(describeError(error));
  return `${createRedactor(secrets)(text)}\n`;
}
