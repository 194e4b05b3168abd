import type { Readable, Writable } from 'node:stream';
import postgres from 'postgres';
import { exitCodes, has, type Program, type Values } from '../../packages/client/src/cli/kit/command.ts';
import { flag } from '../../packages/client/src/cli/kit/option.ts';
import { createOutput } from '../../packages/client/src/cli/kit/output.ts';
import { runLine } from '../../packages/client/src/cli/kit/run-line.ts';
import { visibleLines } from '../../packages/client/src/cli/kit/visible.ts';
import { secretsOf } from '../config/load.ts';
import { databaseFailure, databaseFailures } from '../db/failure.ts';
import { build } from '../shared/build.ts';
import { Problem } from '../shared/problem.ts';
import { fatalErrorText } from '../shared/process.ts';
import { createRedactor } from '../shared/redact.ts';
import { Refusal } from '../shared/refusal.ts';
import { openAdminDependencies } from './admin-dependencies.ts';
import { type Command, CommandRefused } from './command.ts';
import { commands, groups } from './commands.ts';
import { confirm, progressBar } from './terminal.ts';

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_THE_OWNER =
  'DATABASE_URL must log in as the owner here, see "Database users" in docs/operations/database.md';

/** `npm run -s admin -- <command>` (contract/processes#admin-cli). */
export const administration: Program<Command> = {
  name: 'npm run -s admin --',
  about: 'Administers a deployment: works on DATABASE_URL or, if unset, on the running sandbox',
  commands,
  groups,
  globalOptions: {
    json: flag('print exactly one JSON object on standard output'),
    yes: flag('do not ask before an irreversible action'),
    help: flag('explain the program, a group or a command'),
  },
  notes: 'Exit codes: 0 done, 1 refused, 2 usage.',
  version: `launchwire ${build.version}, commit ${build.commit}`,
};

/** Streams, environment and terminal of the program: those of its process, or of a test. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
}

/** Runs a command line. Returns the exit code; errors go to stderr. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, environment } = surroundings;
  try {
    return await runLine(administration, args, { out: stdout, err: stderr }, ({ command, options }) =>
      run(command, options, surroundings),
    );
  } catch (error) {
    stderr.write(visibleLines(explain(error, secretsOf(environment))));
    return exitCodes.refused;
  }
}

async function run(command: Command, options: Values, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, environment } = surroundings;
  await confirm(command, options, surroundings);
  const dependencies = await openAdminDependencies(environment);
  const bar = progressBar(stderr);
  try {
    const result = await command.run(dependencies, options, bar.report).finally(bar.end);
    const output = createOutput(
      has(options, 'json'),
      { out: stdout, err: stderr },
      { indent: 0, width: stdout.isTTY === true ? (stdout.columns ?? 0) : 0 },
    );
    output.record(printable(result) as Record<string, unknown>);
    return command.isFailure?.(result) === true ? exitCodes.refused : exitCodes.done;
  } finally {
    await dependencies.close();
  }
}

/** Explains a known cause in one line; prints any other error with its stack. */
function explain(error: unknown, secrets: readonly string[]): string {
  if (error instanceof CommandRefused || error instanceof Refusal || error instanceof Problem)
    return `${createRedactor(secrets)(error.message)}\n`;
  if (error instanceof postgres.PostgresError && error.code === INSUFFICIENT_PRIVILEGE)
    return `${error.message}: ${NOT_THE_OWNER}\n`;
  const failure = databaseFailure(error);
  if (failure !== null)
    return `Postgres cannot be used: ${databaseFailures[failure]}. \`${administration.name} doctor\` says more.\n`;
  return fatalErrorText(error, secrets);
}

/**
 * Selects the printable part of a result: values, lists and plain records. Results of queries carry their
 * connection, with the key that cancels its statements, as properties of the list; these are removed, and so
 * are bytes.
 */
export function printable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return Array.from(value, printable);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, printable(part)]));
}
