import { loadConfigOf, secretsOf } from '../config/load.ts';
import { fatalErrorText } from '../shared/process.ts';
import { createRedactor } from '../shared/redact.ts';
import { type MigrationObserver, type MigrationResult, migrate } from './migrate.ts';
import { MigrationFailure } from './migration-failure.ts';
import { loginRefusal } from './require-database.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const observer: MigrationObserver = {
  waiting: () => say('another process migrates this database: waiting for it'),
  ran: (name, durationMs) => say(`${name}: ${Math.round(durationMs)} ms`),
  busy: (name) => say(`${name} met locks of running processes and changed nothing: it runs again`),
  failed(name, schema) {
    const is = schema === null ? 'the database has no schema yet' : `the schema is at ${schema}`;
    process.stderr.write(`${name} failed and changed nothing: ${is}\n`);
  },
};

function summary({ before, after, applied, replaced, isOfLater }: MigrationResult): string {
  if (applied.length === 0 && replaced.length > 0)
    return `replaced ${replaced.join(', ')}; the schema is at ${after}`;
  if (isOfLater) return `nothing to apply; the schema is at ${after}, whose functions and views stay`;
  if (applied.length === 0) return `nothing to apply; the schema is at ${after}`;
  const count = applied.length === 1 ? '1 migration' : `${applied.length} migrations`;
  return before === null
    ? `applied ${count} to a database without a schema; the schema is at ${after}`
    : `applied ${count}; the schema was at ${before} and is at ${after}`;
}

/**
 * `npm run migrate`: migrates `DATABASE_URL` to the newest schema and reports the result. Exit code 0 done, 1
 * failed.
 */
try {
  say(summary(await migrate(loadConfigOf('migrate'), observer)));
  process.exit(0);
} catch (error) {
  const text =
    error instanceof MigrationFailure
      ? `${createRedactor(secretsOf())(error.message)}\n`
      : fatalErrorText(loginRefusal(error) ?? error, secretsOf());
  process.stderr.write(text);
  process.exit(1);
}
