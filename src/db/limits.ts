/** How long the server lets the sessions of one pool take. */
export interface DatabaseLimits {
  /** A statement, its wait for locks included; 0 for ever. */
  statementMs: number;
  /** A wait for one lock; 0 for as long as the statement may take. */
  lockMs: number;
  /** A transaction in which nothing is asked: a frozen process must not keep its locks. */
  idleInTransactionMs: number;
}

/** By process; "Limits of the database" in docs/operations/configuration.md says why. A test keeps the two the same. */
export const databaseLimits = {
  api: { statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 15_000 },
  internal: { statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 15_000 },
  worker: { statementMs: 120_000, lockMs: 10_000, idleInTransactionMs: 15_000 },
  relay: { statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 15_000 },
  /** A relay whose beat takes longer than this has stopped by itself. */
  member: { statementMs: 3_000, lockMs: 1_000, idleInTransactionMs: 5_000 },
  /** A scrape must never hurt: neither the pool, which it does not use, nor the server. */
  scrape: { statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 5_000 },
  admin: { statementMs: 600_000, lockMs: 10_000, idleInTransactionMs: 60_000 },
  /** Index builds take as long as they take; the migrator sets a limit for locks itself. */
  migrate: { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 },
} as const satisfies Record<string, DatabaseLimits>;

/** How long the client waits for a server that says nothing. */
export interface Patience {
  /** For a connection. */
  connectMs: number;
  /** Between two looks at each connection. After five without progress the driver tries another connection. */
  lookMs: number;
  /** The server must have ended a statement by then; one that is silent for longer is frozen or unreachable. */
  beyondStatementMs: number;
}

export const defaultPatience: Patience = { connectMs: 5_000, lookMs: 1_000, beyondStatementMs: 2_000 };

/**
 * When the client gives up a query by itself and closes its connection; undefined where statements may take for ever. When the
 * driver has tried another connection meanwhile and there is none to be had, it gives up immediately.
 */
export function silenceMs(
  { statementMs }: DatabaseLimits,
  { beyondStatementMs }: Patience,
): number | undefined {
  return statementMs === 0 ? undefined : statementMs + beyondStatementMs;
}

/**
 * Settings of every session. A connection whose client is gone without closing it ends within 25 s, a statement of it too:
 * their locks must not outlive it. The server ignores what its platform or a Unix socket does not know.
 */
export const sessionSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  client_connection_check_interval: '5000',
} as const;

/** Seconds of quiet after which the client's system asks whether the server is still there. */
export const KEEP_ALIVE_SECONDS = 10;

/** Seconds between tries to reach a server that is away. Queries meanwhile fail immediately. */
export function reconnectSeconds(failures: number): number {
  return Math.min(0.25, 3 ** failures / 100);
}
