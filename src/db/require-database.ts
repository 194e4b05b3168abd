import postgres from 'postgres';
import { ConfigurationError } from '../shared/configuration.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { untilReachable } from '../shared/process.ts';
import type { Database } from './client.ts';
import { databaseFailure } from './failure.ts';
import type { DatabaseRole } from './roles.ts';
import { readSchemaVersion, requiredSchemaVersion } from './schema-version.ts';

/** The driver gives up connecting after as long. */
const ASK_TIMEOUT_MS = 5_000;
const NO_SUCH_ROLE = '22023';
const NOT_A_MEMBER = '42501';

/** What an operator has to do about a server that lets nobody in, which waiting does not mend; null for other failures. */
export function loginRefusal(error: unknown): ConfigurationError | null {
  const failure = databaseFailure(error);
  if (failure === 'password_refused') {
    return new ConfigurationError([
      'DATABASE_URL names a user or password that Postgres refuses: correct them, see "Database users" in docs/operations/configuration.md',
    ]);
  }
  if (failure === 'database_missing') {
    return new ConfigurationError([
      'DATABASE_URL names a database that does not exist: create it, then run the migrations of this release',
    ]);
  }
  return null;
}

/**
 * What an operator has to do when the server refused a new connection, or `role` to it, which waiting does not mend;
 * null for every other failure.
 */
export function roleRefusal(error: unknown, role: DatabaseRole): ConfigurationError | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  const login = loginRefusal(error);
  if (login !== null) return login;
  if (error.code === NO_SUCH_ROLE && error.message.includes(role)) {
    return new ConfigurationError([
      `DATABASE_URL names a server without the role ${role}: run the migrations of this release first`,
    ]);
  }
  if (error.code === NOT_A_MEMBER && /permission denied to set (role|parameter "role")/.test(error.message)) {
    return new ConfigurationError([
      `DATABASE_URL logs in a user that is no member of ${role}: see "Database users" in docs/operations/configuration.md`,
    ]);
  }
  return null;
}

/** A schema older than this release needs, which waiting does not mend either. A newer one is welcome ("Upgrades"). */
async function schemaRefusal(database: Database): Promise<ConfigurationError | null> {
  if ((await readSchemaVersion(database)) >= requiredSchemaVersion) return null;
  return new ConfigurationError([
    'DATABASE_URL names a database whose schema is older than this release: run the migrations of this release first',
  ]);
}

/**
 * Asks once. Throws ConfigurationError when the role is refused or the schema too old; any other failure, and a
 * database that stays silent, pass silently.
 */
export async function requireDatabase(database: Database, role: DatabaseRole): Promise<void> {
  const decided = new AbortController();
  const refusal = schemaRefusal(database).catch((error: unknown) => roleRefusal(error, role));
  const verdict = await Promise.race([refusal, wait(ASK_TIMEOUT_MS, decided.signal)]);
  decided.abort();
  if (verdict instanceof ConfigurationError) throw verdict;
}

/** Waits until the database accepts this role. Throws ConfigurationError as above, or the reason of the signal. */
export async function untilDatabaseReachable(
  database: Database,
  role: DatabaseRole,
  how: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const refusal = await untilReachable(
    'postgres',
    async () => {
      try {
        return await schemaRefusal(database);
      } catch (error) {
        const refused = roleRefusal(error, role);
        if (refused === null) throw error;
        return refused;
      }
    },
    how,
  );
  if (refusal !== null) throw refusal;
}
