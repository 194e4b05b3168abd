/** Time limits of the server for the sessions of one pool. */
export interface DatabaseLimits {
  /** A statement, its wait for locks included; 0: no limit. */
  statementMs: number;
  /** A wait for one lock; 0: the limit of the statement. */
  lockMs: number;
  /** A transaction without a statement: a frozen process must not keep its locks. */
  idleInTransactionMs: number;
}

/**
 * Limits by process; "Limits of the database" in docs/operations/database.md gives the reasons. A test
 * keeps the two equal.
 */
export const databaseLimits = {
  api: { statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 15_000 },
  /** Others wait behind it on its connection. The migrator waits 0.6 s for its locks: reads outlast that. */
  'look-up': { statementMs: 1_500, lockMs: 0, idleInTransactionMs: 5_000 },
  internal: { statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 15_000 },
  worker: { statementMs: 120_000, lockMs: 10_000, idleInTransactionMs: 15_000 },
  relay: { statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 15_000 },
  /** A relay stops by itself when its heartbeat takes longer than this. */
  member: { statementMs: 3_000, lockMs: 1_000, idleInTransactionMs: 5_000 },
  /** A scrape must not burden the server; it does not use the pool. */
  scrape: { statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 5_000 },
  /** A read that takes longer goes to the primary. */
  replica: { statementMs: 1_000, lockMs: 500, idleInTransactionMs: 5_000 },
  admin: { statementMs: 600_000, lockMs: 10_000, idleInTransactionMs: 60_000 },
  /** Index builds have no limit; the migrator sets one for locks itself. */
  migrate: { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 },
} as const satisfies Record<string, DatabaseLimits>;

/** Waiting times of the client for a server that does not respond. */
export interface Patience {
  /** For a connection. */
  connectMs: number;
  /**
   * Interval of checks of each connection. After five without progress the driver tries another connection.
   */
  checkEveryMs: number;
  /**
   * The server ends a statement within this time after its limit; a longer silence means that it is frozen or
   * unreachable.
   */
  beyondStatementMs: number;
}

export const defaultPatience: Patience = { connectMs: 5_000, checkEveryMs: 1_000, beyondStatementMs: 2_000 };

/**
 * Returns when the client gives up a query and closes its connection; undefined where statements have no
 * limit. It gives up at once when the driver has also failed to open another connection.
 */
export function silenceMs(
  { statementMs }: DatabaseLimits,
  { beyondStatementMs }: Patience,
): number | undefined {
  return statementMs === 0 ? undefined : statementMs + beyondStatementMs;
}

/**
 * Settings of every session. A connection whose client vanished without closing it ends within 25 s, with its
 * statement: locks must not last longer. The server ignores settings that its platform or a Unix socket does
 * not support.
 */
export const sessionSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  client_connection_check_interval: '5000',
} as const;

/** Seconds of silence after which the client's system sends a keep-alive probe. */
export const KEEP_ALIVE_SECONDS = 10;

/** Seconds between tries to reach an unavailable server. Queries fail immediately until one succeeds. */
export function reconnectSeconds(failures: number): number {
  return Math.min(0.25, 3 ** failures / 100);
}
