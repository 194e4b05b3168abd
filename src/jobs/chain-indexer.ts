import type { NatsConnection } from '@nats-io/transport-node';
import { SIGNATURES_MAX } from '../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { toDistribution } from '../features/fees/record.ts';
import { advanceLaunch, type LaunchContext } from '../features/tokens/advance-launch.ts';
import { recordFeeFacts } from '../indexer/fees/fee-facts.ts';
import { NodeSet } from '../indexer/pool-history/node-backoff.ts';
import { pollPools } from '../indexer/pool-history/poll-pools.ts';
import type { PoolReaderDependencies, ReadLimits } from '../indexer/pool-history/pool-reader.ts';
import { type OnUnused, UndecodedCounts } from '../indexer/pool-history/undecoded.ts';
import { NodeTimes } from '../indexer/proofs/node-times.ts';
import { SourceProofs } from '../indexer/proofs/source-proofs.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

/** How soon another worker takes over from one that died. */
const TAKE_OVER_MS = 1_000;
const LIMITS: ReadLimits = { pageSize: SIGNATURES_MAX, batchSize: 64 };

export interface ChainIndexerJobDependencies {
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  context: LaunchContext;
  log: Logger;
  signal: AbortSignal;
  limits?: ReadLimits;
  onUnused?: OnUnused;
}

/**
 * Brings the swaps of the pools of known tokens from the chain into the ingest stream until the signal aborts. One worker
 * does it for all, so that nodes are called once. The lock only saves work: a worker that lost it without knowing
 * publishes what the broker already has, and cannot move a cursor that another has moved.
 */
export async function runChainIndexer(dependencies: ChainIndexerJobDependencies): Promise<void> {
  const { connection, rpcs, context, log, signal, limits = LIMITS, onUnused = () => {} } = dependencies;
  const nodes = new NodeSet(rpcs, log);
  const undecoded = new UndecodedCounts(log, onUnused);
  await runLoop({
    name: 'chain-indexer',
    log,
    signal,
    idleMs: TAKE_OVER_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(context.db, advisoryLocks.chainIndexer, (held) => {
        const withLock = { ...context, db: held.database };
        const running = AbortSignal.any([stop, held.signal]);
        const nodeTimes = new NodeTimes(rpcs, nodes, context.clock, log);
        const proofs = new SourceProofs({ db: context.db, connection, log, nodeTimes });
        const readers: PoolReaderDependencies = {
          ...withLock,
          connection,
          nodes,
          undecoded,
          log,
          limits,
          proofs,
          signal: running,
          onLaunchStep: (mint, fact) => advanceLaunch(withLock, mint, fact),
          onFeeFacts: (transactions) =>
            recordFeeFacts({ ...withLock, log, describeFeeDistribution: toDistribution }, transactions),
        };
        return runTogether(running, [
          (signal) => pollPools({ ...readers, signal }, pulse),
          (signal) => nodeTimes.run(signal),
          (signal) => proofs.run(signal),
        ]);
      });
      return false;
    },
  });
}

/** Rejects when one fails, after the others have stopped. */
async function runTogether(
  signal: AbortSignal,
  loops: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const running = AbortSignal.any([signal, failed.signal]);
  const outcomes = await Promise.allSettled(
    loops.map((loop) =>
      loop(running).catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
