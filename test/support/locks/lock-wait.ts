import type { Database, Transaction } from '../../../src/db/client.ts';
import { type HeldLocks, holdLocks } from '../database/held-locks.ts';
import { eventually } from '../run/eventually.ts';
import type { LockGround } from './lock-ground.ts';

/** A call of a function that locks, and how to see that its caller waits for the lock. */
export interface LockWait {
  /** As `listLockCalls` names it. */
  call: string;
  /** The statement that waits, in one line. */
  statement: RegExp;
  /** Takes a lock that conflicts with it. It must not block other statements of the function. */
  hold(transaction: Transaction, ground: LockGround): PromiseLike<unknown>;
  run(db: Database, ground: LockGround): Promise<unknown>;
  /** The transaction of the function, from 1, that takes the lock. Default 1. */
  transactionNumber?: number;
}

/**
 * What a function uses only behind its lock. No test gets there: the statement that waits is cancelled, so that rows
 * need no state beyond the lock.
 */
export const behindTheLock = {} as never;

export function inTransaction(
  work: (transaction: Transaction, ground: LockGround) => Promise<unknown>,
): LockWait['run'] {
  return (db, ground) => db.begin((transaction) => work(transaction, ground));
}

/** The statement at which the function waits while another session holds the lock, or how it ended without a wait. */
export async function whereItWaits(ground: LockGround, wait: LockWait): Promise<string> {
  const held = Promise.withResolvers<HeldLocks>();
  const db = beforeTransaction(ground.db, wait.transactionNumber ?? 1, async () => {
    held.resolve(
      await holdLocks(ground.db, (transaction) => Promise.resolve(wait.hold(transaction, ground))),
    );
  });
  const end: { outcome: string | null } = { outcome: null };
  const running = wait.run(db, ground).then(
    () => {
      end.outcome = 'it did not wait';
    },
    (error: unknown) => {
      end.outcome = `it did not wait, and ended with ${error}`;
    },
  );
  const holder = await Promise.race([held.promise, running.then(() => null)]);
  if (holder === null) return `no transaction ${wait.transactionNumber ?? 1}: ${end.outcome}`;
  try {
    const waiting = await eventually(`a wait of ${wait.call}`, async () => {
      const [session] = await holder.blocked();
      return session ?? (end.outcome === null ? null : 'none');
    });
    if (waiting === 'none') return String(end.outcome);
    await ground.db`select pg_cancel_backend(${waiting.pid})`;
    await running;
    return waiting.query.replaceAll(/\s+/g, ' ').trim();
  } finally {
    await holder.rollBack();
  }
}

/** The same database, which calls `before` at the beginning of its nth transaction. */
function beforeTransaction(db: Database, number: number, before: () => Promise<void>): Database {
  let count = 0;
  const begin = async (work: (transaction: Transaction) => Promise<unknown>) => {
    count += 1;
    if (count === number) await before();
    return await db.begin(work);
  };
  return new Proxy(db, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
}
