import type { NatsConnection } from '@nats-io/transport-node';
import { SIGNATURES_MAX } from '../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { advanceLaunch, type LaunchContext } from '../features/tokens/advance-launch.ts';
import type { ChainIndexing } from '../indexer/pool-history/indexer-metrics.ts';
import { NodeSet } from '../indexer/pool-history/node-backoff.ts';
import { type PollDependencies, pollPools } from '../indexer/pool-history/poll-pools.ts';
import type { ReadLimits } from '../indexer/pool-history/pool-reader.ts';
import type { OnQuietPoolsProven } from '../indexer/pool-history/quiet-proof.ts';
import { UndecodedCounts } from '../indexer/pool-history/undecoded.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

/** How soon another worker takes over from one that died. */
const TAKE_OVER_MS = 1_000;
const LIMITS: ReadLimits = { pageSize: SIGNATURES_MAX, batchSize: 64 };

export interface ChainIndexerJobDependencies {
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  context: LaunchContext;
  indexing: ChainIndexing;
  /** Slot of the believed chain head; null while it is unknown or old. */
  head(): bigint | null;
  log: Logger;
  signal: AbortSignal;
  limits?: ReadLimits;
  /** Told which pools a sweep has proven to be quiet. */
  onQuietPoolsProven?: OnQuietPoolsProven;
}

/**
 * Brings the swaps of bonding-curve pools from the chain into the ingest stream until the signal aborts. One worker
 * does it for all, so that nodes are called once. The lock only saves work: a worker that lost it without knowing
 * publishes what the broker already has, and cannot move a cursor that another has moved.
 */
export async function runChainIndexer(dependencies: ChainIndexerJobDependencies): Promise<void> {
  const { connection, rpcs, context, indexing, head, log, signal, limits = LIMITS } = dependencies;
  const { onQuietPoolsProven = () => {} } = dependencies;
  const nodes = new NodeSet(rpcs, log, { budget: indexing.budget });
  const undecoded = new UndecodedCounts(log);
  const reading = runLoop({
    name: 'chain-indexer',
    log,
    signal,
    idleMs: TAKE_OVER_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(context.db, advisoryLocks.chainIndexer, (held) => {
        const withLock = { ...context, db: held.database };
        const polling: PollDependencies = {
          ...withLock,
          connection,
          nodes,
          undecoded,
          ...indexing,
          head,
          onQuietPoolsProven,
          log,
          limits,
          signal: AbortSignal.any([stop, held.signal]),
          onLaunchStep: (mint, step) => advanceLaunch(withLock, mint, step),
        };
        return pollPools(polling, pulse);
      });
      return false;
    },
  });
  // Without the lock too: the worker that takes over is woken from the first moment.
  await Promise.all([reading, indexing.wakeUps.run(signal)]);
}
