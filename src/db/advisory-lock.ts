import { wait } from '../shared/loop.ts';
import type { Database, Transaction } from './client.ts';

/**
 * The advisory locks of this code base by purpose; their numbers only have to differ. Migrations use 7_201_953
 * (migrate.ts), the log of streams 7_201_960 and 7_201_962 (drizzle/functions/).
 */
export const advisoryLocks = {
  intentConfirmer: 7_201_954,
  intentWatcher: 7_201_961,
  /** Shared by writers of trades, exclusive for reversals: neither sees the other's unfinished work. */
  tradeReversal: 7_201_955,
  chainIndexer: 7_201_956,
  holderCounts: 7_201_959,
  feeStates: 7_201_958,
  secretKeys: 7_201_963,
  /** Shared by writers of trades, exclusive for a change of what is followed (drizzle/functions/note_trade_followers.sql). */
  tradeFollowers: 7_201_965,
} as const;

export type AdvisoryLock = (typeof advisoryLocks)[keyof typeof advisoryLocks];

/** Second key of the fence locks, which transactions of a holder share; the main locks have only one key. */
const FENCE = 1;

export interface LockTimes {
  /** Interval of the holder's heartbeats. */
  heartbeatMs: number;
  /** The server takes the lock from a holder that is silent for this long. */
  silenceMs: number;
}

export const lockTimes: LockTimes = { heartbeatMs: 2_000, silenceMs: 5_000 };

export interface HeldLock {
  /** Aborts when this process notices the loss of the lock. */
  signal: AbortSignal;
  /** The pool; its transactions fail with LockLost once another process has the lock. */
  database: Database;
}

/** Another process has the lock, or may have it: writes that rely on it must not happen. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/**
 * Runs `work` while no other process holds the lock; otherwise does nothing, so that only one of many workers
 * does the work. The lock belongs to its session: it ends immediately when the process dies, and after some
 * seconds without a heartbeat when the process is frozen. A frozen process may resume in the middle of its
 * work: transactions of `held.database` then change nothing (decision 0025). Returns null when another
 * process holds the lock; rejects, once the work has ended, when the lock was lost. It occupies one
 * connection of the pool; the work uses others.
 */
export async function withAdvisoryLock<Value>(
  db: Database,
  lock: AdvisoryLock,
  work: (held: HeldLock) => Promise<Value>,
  { heartbeatMs, silenceMs }: LockTimes = lockTimes,
): Promise<{ value: Value } | null> {
  let outcome: { value: Value } | null = null;
  let working: Promise<unknown> = Promise.resolve();
  const over = new AbortController();
  try {
    await db.begin(async (transaction) => {
      const session = await acquire(transaction, lock, silenceMs);
      if (session === null) return;
      const held = { signal: over.signal, database: fenced(db, lock, session, silenceMs) };
      const done = new AbortController();
      working = work(held).finally(() => done.abort());
      const [value] = await Promise.all([
        working as Promise<Value>,
        beat(transaction, heartbeatMs, done.signal),
      ]);
      outcome = { value };
    });
  } finally {
    // A lost connection ends the transaction before the work ends.
    over.abort();
    await Promise.allSettled([working]);
  }
  return outcome;
}

/** The holder of a lock; no two sessions are equal. */
export interface LockSession {
  pid: number;
  virtualTransaction: string;
}

/**
 * Takes the lock, alone or with others that share it, then waits for transactions of the previous holder. Every
 * statement uses the simple protocol: a portal of the extended one would keep its snapshot until the transaction
 * ends, which is when the worker stops, and no vacuum could remove rows that die in that time.
 */
export async function acquire(
  transaction: Transaction,
  lock: AdvisoryLock,
  silenceMs: number,
  isShared = false,
): Promise<LockSession | null> {
  // Set the limit first: a process that freezes right after it has the lock must lose it too.
  await transaction.unsafe(`set local idle_in_transaction_session_timeout = ${silenceMs}`);
  const [row] = await transaction.unsafe<{ held: boolean }[]>(
    `select pg_try_advisory_xact_lock${isShared ? '_shared' : ''}(${lock}) as held`,
  );
  if (row?.held !== true) return null;
  await awaitWriters(transaction, lock);
  const [session] = await transaction.unsafe<LockSession[]>(
    `select pid, virtualtransaction as virtual_transaction from pg_locks
     where pid = pg_backend_pid() and ${isLock(lock)}`,
  );
  if (session === undefined) throw new LockLost(`the session does not hold lock ${lock}`);
  return session;
}

/** Waits for the open transactions of all who relied on the lock before. */
export async function awaitWriters(transaction: Transaction, lock: AdvisoryLock): Promise<void> {
  await transaction.unsafe(
    `select pg_advisory_lock(${lock}, ${FENCE}); select pg_advisory_unlock(${lock}, ${FENCE})`,
  );
}

/** Sends heartbeat statements on the session of the lock; the server ends the session when they stop. */
async function beat(transaction: Transaction, heartbeatMs: number, done: AbortSignal): Promise<void> {
  for (;;) {
    await wait(heartbeatMs, done);
    if (done.aborted) return;
    await transaction.unsafe('select 1');
  }
}

/**
 * The first statement of a transaction that relies on the lock. It shares a second lock until the transaction
 * ends, and the next holder waits for that one: either this transaction ends before the next holder begins,
 * or it finds the lock lost.
 */
async function requireLock(
  writing: Transaction,
  lock: AdvisoryLock,
  { pid, virtualTransaction }: LockSession,
  silenceMs: number,
): Promise<void> {
  // A process that freezes from here on delays the next holder no longer than the lock itself.
  const [, , [row]] = await Promise.all([
    writing`select set_config('idle_in_transaction_session_timeout', ${String(silenceMs)}, true)`,
    writing`select pg_advisory_xact_lock_shared(${lock}::int4, ${FENCE}::int4)`,
    writing<{ isHeld: boolean }[]>`
      select exists (select from pg_locks
        where pid = ${pid} and virtualtransaction = ${virtualTransaction} and ${writing.unsafe(isLock(lock))}) as is_held`,
  ]);
  if (row?.isHeld !== true) throw new LockLost(`lock ${lock} was lost`);
}

/** SQL: true for a row of pg_locks that holds this lock. */
export function isLock(lock: AdvisoryLock): string {
  return `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = 0 and objid = ${lock} and objsubid = 1 and granted`;
}

/** The same pool; each of its transactions first requires that the session still has the lock. */
export function fenced(db: Database, lock: AdvisoryLock, session: LockSession, silenceMs: number): Database {
  type Work = (transaction: Transaction) => Promise<unknown>;
  const begin = (...parameters: [work: Work] | [options: string, work: Work]) => {
    const [options, work] = parameters.length === 1 ? ['', parameters[0]] : parameters;
    return db.begin(options, async (transaction) => {
      await requireLock(transaction, lock, session, silenceMs);
      return work(transaction);
    });
  };
  return new Proxy(db, {
    get: (target, property) => (property === 'begin' ? begin : Reflect.get(target, property)),
  });
}
