import type { Readable, Writable } from 'node:stream';
import postgres from 'postgres';
import { secretsOf } from '../config/load.ts';
import { databaseFailure, databaseFailures } from '../db/failure.ts';
import { build } from '../shared/build.ts';
import { Problem } from '../shared/problem.ts';
import { fatalErrorText } from '../shared/process.ts';
import { createRedactor } from '../shared/redact.ts';
import { Refusal } from '../shared/refusal.ts';
import { openAdminDependencies } from './admin-dependencies.ts';
import { CommandRefused, UsageError } from './command.ts';
import { commands, groups } from './commands.ts';
import { commandHelp, groupHelp, PROGRAM, programHelp } from './help.ts';
import { type Invocation, nameOf, parseInvocation } from './invocation.ts';
import { printable } from './printable.ts';
import { forPeople } from './table.ts';
import { confirm, progressBar } from './terminal.ts';
import { visible, visibleJson, visibleLines } from './visible.ts';

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;
/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_THE_OWNER =
  'DATABASE_URL must log in as the owner here, see "Database users" in docs/operations/configuration.md';

/** Streams, environment and terminal of the program: those of its process, or of a test. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
}

/**
 * `npm run admin -- <group> <verb> [--option value] [--json]` (contract/processes#admin-cli). Returns the
 * exit code; errors go to stderr.
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stderr, environment } = surroundings;
  try {
    return await run(args, surroundings);
  } catch (error) {
    if (error instanceof UsageError) {
      const help = [PROGRAM, error.command, '--help'].filter((part) => part !== '').join(' ');
      const end = error.message.endsWith('?') ? '' : '.';
      stderr.write(`${visibleLines(error.message)}${end} Help: ${visible(help)}\n`);
      return USAGE;
    }
    stderr.write(visibleLines(explain(error, secretsOf(environment))));
    return REFUSED;
  }
}

async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, environment } = surroundings;
  const invocation = parseInvocation(commands, args);
  if (invocation.kind === 'help') {
    stdout.write(`${helpOf(invocation)}\n`);
    return DONE;
  }
  if (invocation.kind === 'version') {
    stdout.write(`launchwire ${build.version}, commit ${build.commit}\n`);
    return DONE;
  }
  const { command, options, json } = invocation;
  await confirm(command, options, invocation, surroundings);
  const dependencies = await openAdminDependencies(environment);
  const bar = progressBar(stderr);
  try {
    const result = await command
      .run(dependencies, options, bar.report)
      .catch((error: unknown) => {
        if (error instanceof UsageError) error.command ||= nameOf(command);
        throw error;
      })
      .finally(bar.end);
    const shown = printable(result) as Record<string, unknown>;
    const width = stdout.isTTY === true ? (stdout.columns ?? 0) : 0;
    stdout.write(`${json ? visibleJson(shown) : forPeople(shown, width)}\n`);
    return command.isFailure?.(result) === true ? REFUSED : DONE;
  } finally {
    await dependencies.close();
  }
}

function helpOf({ group, command }: Extract<Invocation, { kind: 'help' }>): string {
  if (command !== undefined) return commandHelp(command);
  return group === undefined
    ? programHelp(commands, groups)
    : groupHelp(commands, group, groups[group] ?? group);
}

/** Explains a known cause in one line; prints any other error with its stack. */
function explain(error: unknown, secrets: readonly string[]): string {
  if (error instanceof CommandRefused || error instanceof Refusal || error instanceof Problem)
    return `${createRedactor(secrets)(error.message)}\n`;
  if (error instanceof postgres.PostgresError && error.code === INSUFFICIENT_PRIVILEGE)
    return `${error.message}: ${NOT_THE_OWNER}\n`;
  const failure = databaseFailure(error);
  if (failure !== null)
    return `Postgres cannot be used: ${databaseFailures[failure]}. \`${PROGRAM} doctor\` says more.\n`;
  return fatalErrorText(error, secrets);
}
