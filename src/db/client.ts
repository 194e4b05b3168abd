import postgres from 'postgres';
import type { DatabasePooler } from '../shared/database-poolers.ts';
import type { Logger } from '../shared/log.ts';
import { type DatabaseAccess, driverAccess } from './access.ts';
import { withActions } from './after-commit.ts';
import { DatabaseHealth } from './health.ts';
import {
  type DatabaseLimits,
  databaseLimits,
  defaultPatience,
  KEEP_ALIVE_SECONDS,
  type Patience,
  reconnectSeconds,
  sessionSettings,
  silenceMs,
} from './limits.ts';
import type { DatabaseRole } from './roles.ts';
import { settingsOf } from './session-settings.ts';

/** Column types beyond the driver's defaults: 64-bit integers are bigint. */
type ColumnTypes = { bigint: bigint };

/** A connection pool. Rows come with camelCase keys, `bigint` for int8, `string` for numeric, `Date`, `Buffer`. */
export type Database = postgres.Sql<ColumnTypes>;
/** A transaction of a pool; functions that change state take one. */
export type Transaction = postgres.TransactionSql<ColumnTypes>;
/** A pool or a transaction, for reads. */
export type Queryable = Database | Transaction;

export interface DatabaseOptions {
  /** Name of the sessions in pg_stat_activity. */
  applicationName: string;
  connections: number;
  /** Role of every connection; absent: the user in the URL. */
  role?: DatabaseRole;
  /** Absent: the limits of the admin CLI. */
  limits?: DatabaseLimits;
  /** Patience with a server that does not respond. */
  patience?: Patience;
  /** Receives the reason why the server cannot be used, once a minute per reason. */
  log?: Logger;
  /** Shared by pools of one process to one server. If unset, the pool has its own. */
  health?: DatabaseHealth;
  /**
   * Plans each statement once per connection, for any parameters. For statements whose plan never depends on
   * them: otherwise Postgres plans a read with a `limit` anew each time, which costs more than the read.
   */
  genericPlans?: boolean;
  /**
   * Forbids sequential scans where an index serves. For statements that are prepared while their tables are
   * empty: their first plan is kept until the table is analyzed, which can come too late for a burst.
   */
  indexesOnly?: boolean;
}

/**
 * Opens a pool, which connects on demand and again after a loss. While the server is unavailable every query
 * fails immediately, and one without a response fails at its time limit: none waits for ever (decision 0005).
 * Throws ConfigurationError when the authority of the server cannot be read.
 */
export function connectDatabase(
  access: DatabaseAccess | string,
  {
    applicationName,
    connections,
    role,
    limits = databaseLimits.admin,
    patience = defaultPatience,
    log,
    health = new DatabaseHealth(log),
    genericPlans = false,
    indexesOnly = false,
  }: DatabaseOptions,
): Database {
  const pooler = typeof access === 'string' ? 'none' : (access.databasePooler ?? 'none');
  const silentAfterMs = silenceMs(limits, patience);
  const { url, ssl, hosts } = driverAccess(access);
  const database: Database = postgres(url, {
    max: connections,
    ssl,
    ...hosts,
    connect_timeout: patience.connectMs / 1000,
    keep_alive: KEEP_ALIVE_SECONDS,
    backoff: reconnectSeconds,
    silence_tick: patience.checkEveryMs / 1000,
    ...(silentAfterMs === undefined ? {} : { silence_timeout: silentAfterMs / 1000 }),
    onfailure: (error) => health.note(error),
    // A pooler shares sessions between users: theirs are set for the user (decision 0069).
    connection:
      pooler === 'none'
        ? {
            ...sessionSettings,
            application_name: applicationName,
            ...settingsOf({ limits, genericPlans, indexesOnly }),
            // Part of the connection's first message, so that no statement runs with the rights of the user in
            // the URL.
            ...(role === undefined ? {} : { role }),
          }
        : { application_name: applicationName },
    prepare: pooler !== 'transaction-unprepared',
    pooled: pooler !== 'none',
    transform: postgres.camel,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
  });
  Object.assign(database, { begin: withActions(database.begin.bind(database)) });
  healths.set(database, health);
  requestedSettings.set(database, { role, limits, pooler });
  return database;
}

/** Settings that a pool requests for each of its sessions. */
interface RequestedSettings {
  role: DatabaseRole | undefined;
  limits: DatabaseLimits;
  pooler: DatabasePooler;
}

const requestedSettings = new WeakMap<Database, RequestedSettings>();

export function requestedSettingsOf(database: Database): RequestedSettings {
  const requested = requestedSettings.get(database);
  if (requested === undefined) throw new Error('not a pool of connectDatabase');
  return requested;
}

const healths = new WeakMap<Database, DatabaseHealth>();

/** The failures that statements of a pool met. */
export function healthOf(database: Database): DatabaseHealth {
  const health = healths.get(database);
  if (health === undefined) throw new Error('not a pool of connectDatabase');
  return health;
}
