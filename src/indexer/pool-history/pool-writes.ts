import postgres from 'postgres';
import { GatheringQueue } from '../../shared/gathering-queue.ts';
import {
  applyBalances,
  type BalanceDependencies,
  type BalanceTransaction,
} from '../holders/apply-balances.ts';
import { type CursorMove, moveCursors } from './pool-cursor.ts';

/** Pools that are read at the same time, at most. */
const BATCH_MAX = 256;

/**
 * What the readers of all pools write for each batch. Pools that are read at the same time share transactions and
 * statements: with one transaction a pool these took more time of the worker and of Postgres than everything else
 * together. A reader goes on when its own part is committed, as if it wrote alone.
 */
export class PoolWrites {
  readonly #balances: GatheringQueue<readonly BalanceTransaction[], null>;
  readonly #cursors: GatheringQueue<CursorMove, boolean>;

  constructor(dependencies: BalanceDependencies) {
    const { db, clock } = dependencies;
    // One writer each: batches then hold all that came during the one before.
    const shared = { batchMax: BATCH_MAX, writersMax: 1, isFaultOfItem };
    this.#balances = new GatheringQueue({
      ...shared,
      write: async (batches) => {
        await applyBalances(dependencies, { transactions: batches.flat() });
        return batches.map(() => null);
      },
    });
    this.#cursors = new GatheringQueue({
      ...shared,
      write: (moves) => moveCursors(db, moves, clock.now()),
      keysOf: ({ poolAddress }) => [poolAddress],
    });
  }

  /** Updates the counts of holders. Resolves when they are committed. */
  async applyBalances(transactions: readonly BalanceTransaction[]): Promise<void> {
    const holds = ({ transaction }: BalanceTransaction) => transaction?.tokenBalances.length;
    if (transactions.some(holds)) await this.#balances.add(transactions);
  }

  /** Resolves with false when another worker has moved the cursor in the meantime. */
  moveCursor(move: CursorMove): Promise<boolean> {
    return this.#cursors.add(move);
  }
}

/** One pool's rows, or a lock on its token, may be the reason: the other pools go on then. */
function isFaultOfItem(error: unknown): boolean {
  return error instanceof postgres.PostgresError;
}
