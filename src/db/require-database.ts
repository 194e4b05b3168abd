import postgres from 'postgres';
import { ConfigurationError } from '../shared/configuration-error.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { untilReachable } from '../shared/process.ts';
import { type Database, requestedSettingsOf } from './client.ts';
import { type DatabaseFailure, databaseFailure, databaseFailures } from './failure.ts';
import { findPooling, type Pooling } from './pooler.ts';
import type { DatabaseRole } from './roles.ts';
import { readSchemaVersion, requiredSchemaVersion } from './schema-version.ts';
import { type SessionFault, sessionFault } from './session.ts';

/** As long as the driver waits for a connection. */
const ASK_TIMEOUT_MS = 5_000;
const NO_SUCH_ROLE = '22023';
const NOT_A_MEMBER = '42501';

/** Failures that waiting does not end, with the action for an operator. */
const REFUSALS: Partial<Record<DatabaseFailure, string>> = {
  password_refused:
    'names a user or password that Postgres refuses: correct them, see "Database users" in docs/operations/database.md',
  database_missing:
    'names a database that does not exist: create it, then run the migrations of this release',
  not_admitted:
    'names a Postgres whose pg_hba.conf admits no such connection: add an entry for this host, user and database there',
  clear_text_refused:
    'names a Postgres whose pg_hba.conf admits no such connection without TLS: set DATABASE_CA or sslmode, or add an entry there, see "TLS to Postgres" in docs/operations/database.md',
  tls_missing:
    'wants TLS from a Postgres that offers none: switch it on there, or see "TLS to Postgres" in docs/operations/database.md',
  certificate_untrusted:
    'names a Postgres whose certificate no trusted authority has signed: set DATABASE_CA to the file of its authority, see "TLS to Postgres" in docs/operations/database.md',
  certificate_name:
    'names a Postgres by another host name than its certificate has: use that name, or see "TLS to Postgres" in docs/operations/database.md',
  parameter_refused:
    'names a connection pooler that refuses start-up parameters: set DATABASE_POOLER for api and internal, and name Postgres itself for all others, see "Connection poolers" in docs/operations/database.md',
  certificate_expired: 'names a Postgres whose certificate has expired or is not valid yet: renew it',
};

/**
 * Returns the action for an operator when the server refuses every login, which waiting does not end; null
 * for other failures.
 */
export function loginRefusal(error: unknown): ConfigurationError | null {
  const failure = databaseFailure(error);
  const advice = failure === null ? undefined : REFUSALS[failure];
  return advice === undefined ? null : new ConfigurationError([`DATABASE_URL ${advice}`]);
}

/**
 * Returns the action for an operator when the server refused a new connection or its `role`, which waiting
 * does not end; null for every other failure.
 */
export function roleRefusal(error: unknown, role: DatabaseRole): ConfigurationError | null {
  const login = loginRefusal(error);
  if (login !== null) return login;
  if (!(error instanceof postgres.PostgresError)) return null;
  if (error.code === NO_SUCH_ROLE && error.message.includes(role)) {
    return new ConfigurationError([
      `DATABASE_URL names a server without the role ${role}: run the migrations of this release first`,
    ]);
  }
  if (error.code === NOT_A_MEMBER && /permission denied to set (role|parameter "role")/.test(error.message)) {
    return new ConfigurationError([
      `DATABASE_URL logs in as a user that is not a member of ${role}: see "Database users" in docs/operations/database.md`,
    ]);
  }
  return null;
}

/**
 * Describes a session fault that waiting does not end: a pooler removes the role or the limits from the
 * connection's first message.
 */
function sessionRefusal({ failure, detail }: SessionFault, role: DatabaseRole): ConfigurationError | null {
  if (failure === 'role_lost')
    return new ConfigurationError([
      `DATABASE_URL leads to sessions that work as ${detail}: let the connection pooler pass on the start-up parameter role, or run \`alter user … set role ${role}\`, see "Connection poolers" in docs/operations/database.md`,
    ]);
  if (failure === 'limits_lost')
    return new ConfigurationError([
      `DATABASE_URL leads to sessions with ${detail}: let the connection pooler pass on the start-up parameters, or set them for the user, see "Connection poolers" in docs/operations/database.md`,
    ]);
  return null;
}

/** Why a process needs sessions of its own; the others may share them. */
const OWN_SESSIONS: Partial<Record<DatabaseRole, string>> = {
  launchwire_worker:
    'the locks of the worker last as long as its work, and each would keep a shared session for itself',
  launchwire_relay: 'a lock of its session shows the others that a relay runs',
};

/** Describes a pooler through which the process cannot work. */
function poolerRefusal(database: Database, pooling: Pooling, role: DatabaseRole): ConfigurationError | null {
  if (pooling === 'none' || pooling === 'session') return null;
  const reason = OWN_SESSIONS[role];
  const { pooler } = requestedSettingsOf(database);
  const leads = 'DATABASE_URL leads to a connection pooler that';
  const page = 'see "Connection poolers" in docs/operations/database.md';
  if (reason !== undefined)
    return new ConfigurationError([
      `${leads} shares sessions between transactions, but ${reason}: name Postgres itself, or a pooler by session, ${page}`,
    ]);
  if (pooler === 'none')
    return new ConfigurationError([
      `${leads} shares sessions between transactions: set DATABASE_POOLER, ${page}`,
    ]);
  if (pooling === 'transaction_unprepared')
    return new ConfigurationError([
      `${leads} keeps no prepared statements: set max_prepared_statements there (PgBouncer 1.21 or newer), or DATABASE_POOLER=transaction-unprepared, ${page}`,
    ]);
  return null;
}

/**
 * Refuses a schema that is too old for this release, which waiting does not change. A newer one is accepted
 * ("Upgrades").
 */
async function schemaRefusal(database: Database): Promise<ConfigurationError | null> {
  if ((await readSchemaVersion(database)) >= requiredSchemaVersion) return null;
  return new ConfigurationError([
    'DATABASE_URL names a database whose schema is older than this release: run the migrations of this release first',
  ]);
}

/** Waiting may help: a standby can be promoted. */
class NotWritable extends Error {
  override readonly name = 'NotWritable';
}

/** Returns null when the process can work, or an error that ends it; rejects when waiting may help. */
async function refusalOf(database: Database, role: DatabaseRole): Promise<ConfigurationError | null> {
  try {
    const pooled = poolerRefusal(database, await findPooling(database), role);
    if (pooled !== null) return pooled;
    const fault = await sessionFault(database);
    const refusal = fault && sessionRefusal(fault, role);
    if (refusal !== null) return refusal;
    if (fault !== null) throw new NotWritable(databaseFailures[fault.failure]);
    return await schemaRefusal(database);
  } catch (error) {
    const refused = roleRefusal(error, role);
    if (refused === null) throw error;
    return refused;
  }
}

/**
 * Checks once. Throws ConfigurationError when the role is refused, the session lacks its settings or is shared
 * by a pooler that the process does not expect, or the schema is too old. Any other failure passes silently, and so do a database that does not respond and a
 * standby.
 */
export async function requireDatabase(database: Database, role: DatabaseRole): Promise<void> {
  const decided = new AbortController();
  const refusal = refusalOf(database, role).catch(() => null);
  const verdict = await Promise.race([refusal, wait(ASK_TIMEOUT_MS, decided.signal)]);
  decided.abort();
  if (verdict instanceof ConfigurationError) throw verdict;
}

/**
 * Waits until the database accepts this role and takes writes. Throws ConfigurationError as above, or the
 * reason of the signal.
 */
export async function untilDatabaseReachable(
  database: Database,
  role: DatabaseRole,
  how: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const refusal = await untilReachable('postgres', () => refusalOf(database, role), how);
  if (refusal !== null) throw refusal;
}
