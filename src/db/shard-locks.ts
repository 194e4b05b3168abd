import { wait } from '../shared/loop.ts';
import {
  type AdvisoryLock,
  acquire,
  awaitWriters,
  fenced,
  type HeldLock,
  isLock,
  type LockTimes,
  lockTimes,
} from './advisory-lock.ts';
import type { Database, Transaction } from './client.ts';

/** The second key of a shard's lock. The fence of advisory-lock.ts has a lower one. */
const FIRST_SHARD = 16;

/** The part of some work that one process does. */
export interface ShardedWork {
  /** Resolves or rejects when the work has ended. */
  running: Promise<void>;
  /**
   * Called with the shards that the process holds from now on. Resolves when no work on other shards is in progress:
   * only then may another process take them.
   */
  hold(shards: ReadonlySet<number>): Promise<void>;
}

export interface ShardLockOptions {
  lock: AdvisoryLock;
  /** The same in every process. */
  shardCount: number;
  times?: LockTimes;
}

/**
 * Divides work among all processes that call this: each shard is held by one of them at most, and a process holds no
 * more than its even share, rounded up. All share the main lock of `lock` and hold the lock of each shard in one
 * session. So a killed process gives all of them back at once, a frozen one after `silenceMs`, and its open
 * transactions end before another process works on the shards (decision 0124). Returns when the work has ended, or at
 * once while a process holds `lock` alone, as releases did before. Rejects when the session was lost.
 */
export async function withShardLocks(
  db: Database,
  { lock, shardCount, times = lockTimes }: ShardLockOptions,
  work: (held: HeldLock) => ShardedWork,
): Promise<void> {
  const { heartbeatMs, silenceMs } = times;
  let working: Promise<unknown> = Promise.resolve();
  const over = new AbortController();
  try {
    await db.begin(async (transaction) => {
      const session = await acquire(transaction, lock, silenceMs, true);
      if (session === null) return;
      const begun = work({ signal: over.signal, database: fenced(db, lock, session, silenceMs) });
      const done = new AbortController();
      working = begun.running.finally(() => done.abort());
      const shards = new SessionShards(transaction, lock, shardCount);
      await Promise.all([working, keepEven(shards, begun, heartbeatMs / 2, done.signal)]);
    });
  } finally {
    // A lost connection ends the transaction before the work ends.
    over.abort();
    await Promise.allSettled([working]);
  }
}

/**
 * Takes and gives back shards until the work is done. Its statements are the heartbeat of the session too, so it never
 * waits for the work.
 */
async function keepEven(
  shards: SessionShards,
  { hold }: ShardedWork,
  everyMs: number,
  done: AbortSignal,
): Promise<void> {
  let isHanding = false;
  let handed: PromiseSettledResult<number> | null = null;
  const handOver = (count: number) => {
    isHanding = true;
    hold(shards.first(count)).then(
      () => {
        handed = { status: 'fulfilled', value: count };
      },
      (reason: unknown) => {
        handed = { status: 'rejected', reason };
      },
    );
  };
  while (!done.aborted) {
    const share = await shards.share();
    const settled = handed as PromiseSettledResult<number> | null;
    if (settled !== null) {
      if (settled.status === 'rejected') throw settled.reason;
      await shards.giveBackAfter(settled.value);
      handed = null;
      isHanding = false;
    }
    if (!isHanding && shards.count > share) handOver(share);
    else if (!isHanding && (await shards.takeUpTo(share))) handOver(shards.count);
    await wait(everyMs, done);
  }
}

/**
 * The shards that one session holds, in the order in which it took them. Each was taken after a savepoint of its own,
 * and rolling back to it gives back this shard and all that were taken later.
 */
class SessionShards {
  readonly #transaction: Transaction;
  readonly #lock: AdvisoryLock;
  readonly #shardCount: number;
  #held: number[] = [];

  constructor(transaction: Transaction, lock: AdvisoryLock, shardCount: number) {
    this.#transaction = transaction;
    this.#lock = lock;
    this.#shardCount = shardCount;
  }

  get count(): number {
    return this.#held.length;
  }

  first(count: number): ReadonlySet<number> {
    return new Set(this.#held.slice(0, count));
  }

  /** The most shards that a process may hold now. */
  async share(): Promise<number> {
    const [row] = await this.#transaction.unsafe<{ sessions: number }[]>(
      `select count(*)::int as sessions from pg_locks where ${isLock(this.#lock)}`,
    );
    return Math.ceil(this.#shardCount / Math.max(1, row?.sessions ?? 1));
  }

  /** Takes free shards. Returns whether it took any; then nobody who held them before has an open transaction. */
  async takeUpTo(share: number): Promise<boolean> {
    const before = this.count;
    for (let shard = 0; shard < this.#shardCount && this.count < share; shard += 1) {
      if (this.#held.includes(shard)) continue;
      const savepoint = savepointOf(this.count);
      const [, [row] = []] = (await this.#transaction.unsafe(
        `savepoint ${savepoint}; select pg_try_advisory_xact_lock(${this.#lock}, ${FIRST_SHARD + shard}) as held`,
      )) as unknown as [unknown, { held: boolean }[]];
      if (row?.held === true) this.#held.push(shard);
      else await this.#transaction.unsafe(`release savepoint ${savepoint}`);
    }
    if (this.count === before) return false;
    await awaitWriters(this.#transaction, this.#lock);
    return true;
  }

  async giveBackAfter(count: number): Promise<void> {
    if (count >= this.count) return;
    const savepoint = savepointOf(count);
    await this.#transaction.unsafe(`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`);
    this.#held = this.#held.slice(0, count);
  }
}

function savepointOf(position: number): string {
  return `shard_${position}`;
}
