import { wait } from '../shared/loop.ts';
import type { Database, Transaction } from './client.ts';

/** Locks of this code base, by purpose; the numbers only have to differ. */
export const advisoryLocks = {
  intentConfirmer: 7_201_954,
  /** 7_201_960 and 7_201_962 are taken by the log of streams (drizzle/0023_stream_log.sql). */
  intentWatcher: 7_201_961,
  /** Shared by writers of trades, exclusive for reversals: neither sees half of the other's work. */
  tradeReversal: 7_201_955,
  chainIndexer: 7_201_956,
  holderCounts: 7_201_959,
  feeStates: 7_201_958,
  secretKeys: 7_201_963,
} as const;

type AdvisoryLock = (typeof advisoryLocks)[keyof typeof advisoryLocks];

/** The second key of the locks that transactions of a holder's work share; the locks themselves have one key. */
const FENCE = 1;

export interface LockTimes {
  /** How often the holder shows that it runs. */
  heartbeatMs: number;
  /** The server takes the lock from a holder that was silent for as long. */
  silenceMs: number;
}

const TIMES: LockTimes = { heartbeatMs: 2_000, silenceMs: 5_000 };

export interface HeldLock {
  /** Aborts when the lock is lost, as far as this process has noticed. */
  signal: AbortSignal;
  /** The pool, but each of its transactions fails with LockLost when the lock has gone to another meanwhile. */
  database: Database;
}

/** The lock went to another process, or may have: what was about to be written on the strength of it is not. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/**
 * Runs `work` while no other process holds the lock, else does nothing: of many workers one does the work. The lock goes
 * with its session: immediately when the process dies, after some seconds without a heartbeat when it is frozen. A
 * frozen one that goes on may still be in the middle of its work: transactions of `held.database` then change nothing
 * (decision 0025). Returns null when another holds the lock; rejects, once the work has ended, when it was lost. It
 * occupies one connection of the pool; the work takes others.
 */
export async function withAdvisoryLock<Value>(
  db: Database,
  lock: AdvisoryLock,
  work: (held: HeldLock) => Promise<Value>,
  { heartbeatMs, silenceMs }: LockTimes = TIMES,
): Promise<{ value: Value } | null> {
  let outcome: { value: Value } | null = null;
  let working: Promise<unknown> = Promise.resolve();
  const over = new AbortController();
  try {
    await db.begin(async (transaction) => {
      const session = await acquire(transaction, lock, silenceMs);
      if (session === null) return;
      const fence = (writing: Transaction) => requireLock(writing, lock, session, silenceMs);
      const held = { signal: over.signal, database: fenced(db, fence) };
      const done = new AbortController();
      working = work(held).finally(() => done.abort());
      const [value] = await Promise.all([
        working as Promise<Value>,
        beat(transaction, heartbeatMs, done.signal),
      ]);
      outcome = { value };
    });
  } finally {
    // With its connection the transaction ends before the work does.
    over.abort();
    await Promise.allSettled([working]);
  }
  return outcome;
}

/** Who holds a lock: no other session ever has the same. */
interface LockSession {
  pid: number;
  virtualTransaction: string;
}

/**
 * Takes the lock, then waits for transactions that still write on the strength of the holder before. All statements are
 * in the simple protocol: a portal of the extended one would keep its snapshot until the transaction ends, and no
 * vacuum could remove anything that died while the work runs, which is for as long as the worker lives.
 */
async function acquire(
  transaction: Transaction,
  lock: AdvisoryLock,
  silenceMs: number,
): Promise<LockSession | null> {
  // First the limit: a process that freezes right after it has the lock must lose it too.
  await transaction.unsafe(`set local idle_in_transaction_session_timeout = ${silenceMs}`);
  const [row] = await transaction.unsafe<{ held: boolean }[]>(
    `select pg_try_advisory_xact_lock(${lock}) as held`,
  );
  if (row?.held !== true) return null;
  await transaction.unsafe(
    `select pg_advisory_lock(${lock}, ${FENCE}); select pg_advisory_unlock(${lock}, ${FENCE})`,
  );
  const [session] = await transaction.unsafe<LockSession[]>(
    `select pid, virtualtransaction as virtual_transaction from pg_locks
     where pid = pg_backend_pid() and ${isLock(lock)}`,
  );
  if (session === undefined) throw new LockLost(`lock ${lock} is not among those of its session`);
  return session;
}

/** Statements on the session of the lock, which the server ends when they stop coming. */
async function beat(transaction: Transaction, heartbeatMs: number, done: AbortSignal): Promise<void> {
  for (;;) {
    await wait(heartbeatMs, done);
    if (done.aborted) return;
    await transaction.unsafe('select 1');
  }
}

/**
 * First statement of a transaction that relies on the lock. It shares a second lock until the transaction ends, for which
 * the next holder waits: either this transaction is over before the next holder begins, or it sees that the lock is gone.
 */
async function requireLock(
  writing: Transaction,
  lock: AdvisoryLock,
  { pid, virtualTransaction }: LockSession,
  silenceMs: number,
): Promise<void> {
  // A process that is frozen from here on keeps the next holder waiting no longer than by the lock itself.
  const [, , [row]] = await Promise.all([
    writing`select set_config('idle_in_transaction_session_timeout', ${String(silenceMs)}, true)`,
    writing`select pg_advisory_xact_lock_shared(${lock}::int4, ${FENCE}::int4)`,
    writing<{ isHeld: boolean }[]>`
      select exists (select from pg_locks
        where pid = ${pid} and virtualtransaction = ${virtualTransaction} and ${writing.unsafe(isLock(lock))}) as is_held`,
  ]);
  if (row?.isHeld !== true) throw new LockLost(`lock ${lock} was lost`);
}

/** SQL: a row of pg_locks is this lock, held. */
function isLock(lock: AdvisoryLock): string {
  return `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = 0 and objid = ${lock} and objsubid = 1 and granted`;
}

/** The same pool, but each transaction begins with `fence`. */
function fenced(db: Database, fence: (transaction: Transaction) => Promise<void>): Database {
  type Work = (transaction: Transaction) => Promise<unknown>;
  const begin = (...parameters: [work: Work] | [options: string, work: Work]) => {
    const [options, work] = parameters.length === 1 ? ['', parameters[0]] : parameters;
    return db.begin(options, async (transaction) => {
      await fence(transaction);
      return work(transaction);
    });
  };
  return new Proxy(db, {
    get: (target, property) => (property === 'begin' ? begin : Reflect.get(target, property)),
  });
}
