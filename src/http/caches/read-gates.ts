import { Gate } from '../../shared/gate.ts';

/** Bounds on the concurrent loads of a process, of all clients together (docs/security.md). */
export interface ReadGates {
  /** One row, or one page by an index. */
  reads: Gate;
  /** Up to a thousand rows. */
  heavyReads: Gate;
  /** Lists of a wallet's token accounts: up to 4 MiB each. */
  holdings: Gate;
  /** About twenty accounts of one slot. */
  supply: Gate;
  /** A pool and its AMM pool in one slot. */
  quotes: Gate;
  /** Pools of swaps and their simulations, for callers with a key. */
  swaps: Gate;
  /** Images from their store: up to 5 MiB each. */
  images: Gate;
  /** Processes that decode images, for callers with a key: up to 500 MB each. */
  decoders: Gate;
  /** Landing reports, for callers with a key: up to 50,000 rows. */
  reports: Gate;
}

/**
 * `reads` and `heavyReads` together have no more places than the pool of anonymous loads has connections
 * (src/db/connections.ts): more loads would only queue there. Whoever waits longer for a read of a row is better refused, and asks again.
 */
export function createReadGates(): ReadGates {
  return {
    reads: new Gate({ runningMax: 8, waitingMax: 1_000, waitMaxMs: 250 }),
    heavyReads: new Gate({ runningMax: 2, waitingMax: 100, waitMaxMs: 2_000 }),
    holdings: new Gate({ runningMax: 6, waitingMax: 24, waitMaxMs: 1_000 }),
    supply: new Gate({ runningMax: 16, waitingMax: 64, waitMaxMs: 1_000 }),
    quotes: new Gate({ runningMax: 16, waitingMax: 256, waitMaxMs: 1_000 }),
    swaps: new Gate({ runningMax: 32, waitingMax: 256, waitMaxMs: 2_000 }),
    images: new Gate({ runningMax: 8, waitingMax: 100, waitMaxMs: 2_000 }),
    decoders: new Gate({ runningMax: 2, clientRunningMax: 1, waitingMax: 32, waitMaxMs: 5_000 }),
    reports: new Gate({ runningMax: 2, waitingMax: 16, waitMaxMs: 2_000 }),
  };
}
