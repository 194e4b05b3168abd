import postgres from 'postgres';
import { openAdminDependencies } from './admin/admin-dependencies.ts';
import { CommandRefused, UsageError } from './admin/command.ts';
import { commands, groups } from './admin/commands.ts';
import { commandHelp, groupHelp, PROGRAM, programHelp } from './admin/help.ts';
import { type Invocation, nameOf, parseInvocation } from './admin/invocation.ts';
import { printable } from './admin/printable.ts';
import { forPeople } from './admin/table.ts';
import { confirm, progressBar } from './admin/terminal.ts';
import { visible, visibleJson, visibleLines } from './admin/visible.ts';
import { secretsOf } from './config.ts';
import { databaseFailure, databaseFailures } from './db/failure.ts';
import { build } from './shared/build.ts';
import { Problem } from './shared/problem.ts';
import { fatalErrorText } from './shared/process.ts';
import { createRedactor } from './shared/redact.ts';
import { Refusal } from './shared/refusal.ts';

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;
/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_THE_OWNER =
  'DATABASE_URL must log in the owner here, see "Database users" in docs/operations/configuration.md';

/** `npm run admin -- <group> <verb> [--option value] [--json]` (contract/processes#admin-cli). */
async function run(args: readonly string[]): Promise<number> {
  const invocation = parseInvocation(commands, args);
  if (invocation.kind === 'help') {
    process.stdout.write(`${helpOf(invocation)}\n`);
    return DONE;
  }
  if (invocation.kind === 'version') {
    process.stdout.write(`launchwire ${build.version}, commit ${build.commit}\n`);
    return DONE;
  }
  const { command, options, json } = invocation;
  await confirm(command, options, invocation);
  const dependencies = await openAdminDependencies();
  const bar = progressBar();
  try {
    const result = await command
      .run(dependencies, options, bar.report)
      .catch((error: unknown) => {
        if (error instanceof UsageError) error.command ||= nameOf(command);
        throw error;
      })
      .finally(bar.end);
    const shown = printable(result) as Record<string, unknown>;
    const width = process.stdout.isTTY === true ? process.stdout.columns : 0;
    process.stdout.write(`${json ? visibleJson(shown) : forPeople(shown, width)}\n`);
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

/** One line where the cause is known; otherwise the error with its stack. */
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

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    const help = [PROGRAM, error.command, '--help'].filter((part) => part !== '').join(' ');
    const end = error.message.endsWith('?') ? '' : '.';
    process.stderr.write(`${visibleLines(error.message)}${end} Help: ${visible(help)}\n`);
    process.exit(USAGE);
  }
  process.stderr.write(visibleLines(explain(error, secretsOf())));
  process.exit(REFUSED);
}
