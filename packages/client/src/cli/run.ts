import { type ClientOptions, createClient } from '../client.ts';
import { ConnectionError, isLaunchwireError } from '../errors.ts';
import type { Invocation } from './command.ts';
import { CommandFailed, UsageError } from './failures.ts';
import { commandHelp, generalHelp, groupHelp } from './help.ts';
import { createOutput, printable } from './output.ts';
import { checkComplete, commandFirst, findCommand, parseLine } from './parse.ts';
import { addressOf, type Settings } from './settings.ts';

interface Sink {
  write(text: string): unknown;
}

export interface RunOptions {
  settings: Settings;
  version: string;
  out: Sink;
  err: Sink;
  /** Aborted by Ctrl-C. */
  stopping: AbortController;
  clientOptions?: Partial<ClientOptions>;
}

/** Runs a command line. Returns the exit code: 0 done, 1 refused, 2 wrong usage, 3 unreachable. */
export async function run(words: readonly string[], options: RunOptions): Promise<number> {
  const { err, stopping } = options;
  try {
    await runLine(words, options);
    return 0;
  } catch (error) {
    // Ctrl-C ends a wait or a listener. It is no failure, so nothing is printed.
    if (stopping.signal.aborted) return 130;
    const lines = messageOf(error, words).split('\n');
    err.write(`${lines.map(printable).join('\n')}\n`);
    return exitCodeOf(error);
  }
}

async function runLine(words: readonly string[], options: RunOptions): Promise<void> {
  const { settings, version, out, err, stopping, clientOptions } = options;
  const [first, second] = words;
  if (first === 'help' && second !== undefined) return runLine([...words.slice(1), '--help'], options);
  if (first === undefined || isHelp(first) || first === 'help') {
    out.write(generalHelp());
    return;
  }
  const group = second !== undefined && isHelp(second) ? groupHelp(first) : undefined;
  if (group !== undefined) {
    out.write(group);
    return;
  }
  if (first === '--version' || first === '-v') {
    out.write(`${version}\n`);
    return;
  }
  const ordered = commandFirst(words);
  if (ordered[0]?.startsWith('-')) {
    if (!ordered.some(isHelp)) throw new UsageError('a command is needed');
    out.write(generalHelp());
    return;
  }
  const { command, rest } = findCommand(ordered);
  const line = parseLine(command, rest);
  if (line.options.help === true) {
    out.write(commandHelp(command));
    return;
  }
  checkComplete(line);
  const invocation: Invocation = {
    arguments: line.arguments,
    options: line.options,
    settings,
    output: createOutput(line.options.json === true, out, err),
    signal: stopping.signal,
    stop: () => stopping.abort(),
    client: () =>
      createClient({
        baseUrl: addressOf(line.options.url, settings),
        apiKey: settings.apiKey,
        ...clientOptions,
      }),
  };
  await command.run(invocation);
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof ConnectionError ? 3 : 1;
}

function messageOf(error: unknown, words: readonly string[]): string {
  if (error instanceof UsageError)
    return `launchwire: ${error.message}\nSee launchwire ${helpWords(words)}--help.`;
  if (isLaunchwireError(error) || error instanceof CommandFailed || error instanceof TypeError) {
    const key = 'code' in error && error.code === 'invalid_api_key' ? ' Set LAUNCHWIRE_API_KEY.' : '';
    return `launchwire: ${error.message}${key}`;
  }
  // A defect is printed with its stack, for a report.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function helpWords(words: readonly string[]): string {
  const [first = ''] = words;
  try {
    return `${findCommand(words).command.name} `;
  } catch {
    return groupHelp(first) === undefined ? '' : `${first} `;
  }
}
