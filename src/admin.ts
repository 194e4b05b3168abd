import postgres from 'postgres';
import { openAdminDependencies } from './admin/admin-dependencies.ts';
import { CommandRefused, UsageError } from './admin/command.ts';
import { commands } from './admin/commands.ts';
import { parseInvocation, usage } from './admin/invocation.ts';
import { printable } from './admin/printable.ts';
import { secretsOf } from './config.ts';
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

/** `bun run admin <group> <verb> [--option value] [--json]` (contract/processes#admin-cli). */
async function run(args: readonly string[]): Promise<number> {
  const invocation = parseInvocation(commands, args);
  const dependencies = openAdminDependencies();
  try {
    const result = printable(await invocation.command.run(dependencies, invocation.options));
    process.stdout.write(
      invocation.json ? `${JSON.stringify(result)}\n` : `${Bun.inspect(result, { colors: false })}\n`,
    );
    return DONE;
  } finally {
    await dependencies.close();
  }
}

function isDenied(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && error.code === INSUFFICIENT_PRIVILEGE;
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage(commands)}\n`);
    process.exit(USAGE);
  }
  const isRefusal = error instanceof CommandRefused || error instanceof Refusal;
  const secrets = secretsOf();
  const text = isRefusal ? `${createRedactor(secrets)(error.message)}\n` : fatalErrorText(error, secrets);
  process.stderr.write(isDenied(error) ? `${error.message}: ${NOT_THE_OWNER}\n` : text);
  process.exit(REFUSED);
}
