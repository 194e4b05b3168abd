import { type ClientOptions, createClient } from '../client.ts';
import { ConnectionError, isLaunchwireError } from '../errors.ts';
import { CommandFailed, type Invocation } from './command.ts';
import { commandLine } from './commands.ts';
import { exitCodes, has } from './kit/command.ts';
import { createOutput, type Sink } from './kit/output.ts';
import { runLine } from './kit/run-line.ts';
import { visibleLines } from './kit/visible.ts';
import { addressOf, type Settings } from './settings.ts';

export interface RunOptions {
  settings: Settings;
  version: string;
  out: Sink;
  err: Sink;
  /** Aborted by Ctrl-C. */
  stopping: AbortController;
  clientOptions?: Partial<ClientOptions>;
}

/** Runs a command line. Returns the exit code. */
export async function run(words: readonly string[], options: RunOptions): Promise<number> {
  const { settings, version, out, err, stopping, clientOptions } = options;
  const { signal } = stopping;
  try {
    return await runLine({ ...commandLine, version }, words, { out, err }, async (line) => {
      const invocation: Invocation = {
        arguments: line.arguments,
        options: line.options,
        settings,
        output: createOutput(has(line.options, 'json'), { out, err }),
        signal,
        stop: () => stopping.abort(),
        client: () =>
          createClient({
            baseUrl: addressOf(line.options.url, settings),
            apiKey: settings.apiKey,
            ...clientOptions,
          }),
      };
      await line.command.run(invocation);
      return exitCodes.done;
    });
  } catch (error) {
    // Ctrl-C ends a wait or a listener. It is no failure, so nothing is printed.
    if (signal.aborted) return exitCodes.stopped;
    err.write(`${visibleLines(messageOf(error))}\n`);
    return error instanceof ConnectionError ? exitCodes.unreachable : exitCodes.refused;
  }
}

function messageOf(error: unknown): string {
  if (isLaunchwireError(error) || error instanceof CommandFailed || error instanceof TypeError) {
    const key = 'code' in error && error.code === 'invalid_api_key' ? ' Set LAUNCHWIRE_API_KEY.' : '';
    return `${commandLine.errorPrefix}${error.message}${key}`;
  }
  // A defect is printed with its stack, for a report.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
