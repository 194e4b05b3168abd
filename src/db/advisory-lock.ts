import type { Database } from './client.ts';

/** Locks of this code base, by purpose; the numbers only have to differ. */
export const advisoryLocks = {
  intentConfirmer: 7_201_954,
  /** Shared by writers of trades, exclusive for reversals: neither sees half of the other's work. */
  tradeReversal: 7_201_955,
  chainIndexer: 7_201_956,
} as const;

/**
 * Runs `work` while no other process holds the lock, else does nothing: of many workers one does the work, and a
 * killed one gives the lock back with its connection. Returns null when another holds it. The lock occupies one
 * connection of the pool; the work takes others.
 */
export async function withAdvisoryLock<Value>(
  db: Database,
  lock: (typeof advisoryLocks)[keyof typeof advisoryLocks],
  work: () => Promise<Value>,
): Promise<{ value: Value } | null> {
  let outcome: { value: Value } | null = null;
  await db.begin(async (transaction) => {
    // In the simple protocol: a portal of the extended one would keep its snapshot until the transaction ends, and no
    // vacuum could remove anything that died while the work runs, which is for as long as the worker lives.
    const [row] = await transaction.unsafe<{ held: boolean }[]>(
      `select pg_try_advisory_xact_lock(${lock}) as held`,
    );
    if (row?.held === true) outcome = { value: await work() };
  });
  return outcome;
}
