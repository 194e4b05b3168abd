import type { NatsConnection } from '@nats-io/transport-node';
import type { PacedSlot } from '../chain/head.ts';
import { SIGNATURES_MAX } from '../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import { advisoryLocks } from '../db/advisory-lock.ts';
import type { Database } from '../db/client.ts';
import { withShardLocks } from '../db/shard-locks.ts';
import type { Outbox } from '../outbox/append.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { runTogether } from '../shared/run-together.ts';
import { recordFeeFacts } from './fees/fee-facts.ts';
import { FinalityWatch } from './finality/compare-finalized.ts';
import type { LaunchFact } from './pool-history/batch-publisher.ts';
import type { ChainIndexing } from './pool-history/indexer-metrics.ts';
import { NodeSet } from './pool-history/node-set.ts';
import { type PollDependencies, pollPools } from './pool-history/poll-pools.ts';
import type { ReadLimits } from './pool-history/pool-reader.ts';
import { POOL_SHARDS, PoolShards } from './pool-history/pool-shards.ts';
import { PoolWrites } from './pool-history/pool-writes.ts';
import type { OnQuietPoolsProven } from './pool-history/quiet-sweep.ts';
import { SharedBlocks } from './pool-history/shared-blocks.ts';
import { type OnUnused, UndecodedCounts } from './pool-history/undecoded.ts';
import { NodeTimes } from './proofs/node-times.ts';
import { SourceProofs } from './proofs/source-proofs.ts';
import type { DistributionFact } from './store/fee-distributions.ts';

/** Another worker takes over from one that died within this time. */
const TAKE_OVER_MS = 1_000;
const LIMITS: ReadLimits = { pageSize: SIGNATURES_MAX, batchSize: 64 };

/** What the indexer works with; its database is the one that holds the lock. */
export interface ChainIndexerContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  rpcs: readonly ChainRpc[];
  /** Called after a commit, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

export interface ChainIndexerDependencies {
  connection: NatsConnection;
  context: ChainIndexerContext;
  /** Moves a token to the status that the chain has shown for its curve. Idempotent, in any order. */
  advanceLaunch(context: ChainIndexerContext, mintAddress: string, fact: LaunchFact): Promise<void>;
  /** The public record of a fee payment for its event. */
  describeFeeDistribution(distribution: DistributionFact): unknown;
  indexing: ChainIndexing;
  /** The believed chain head; null while it is unknown or old. */
  head(): PacedSlot | null;
  log: Logger;
  signal: AbortSignal;
  limits?: ReadLimits;
  onUnused?: OnUnused;
  /** Called with the pools that a sweep has proven to be quiet. */
  onQuietPoolsProven?: OnQuietPoolsProven;
}

/**
 * Publishes the swaps in pools of known tokens from the chain to the ingest stream until the signal aborts.
 * All workers divide the pools, so that nodes are called once for each. The locks only save work: a worker that lost
 * them without noticing publishes messages that the broker already has, and cannot move a cursor that another has
 * moved.
 */
export async function runChainIndexer(dependencies: ChainIndexerDependencies): Promise<void> {
  const { connection, context, indexing, head, log, signal, limits = LIMITS } = dependencies;
  const { advanceLaunch, describeFeeDistribution } = dependencies;
  const { rpcs } = context;
  const { time } = indexing;
  const { onQuietPoolsProven = () => {}, onUnused = () => {} } = dependencies;
  const nodes = new NodeSet(rpcs, log, { budget: indexing.budget, nowMs: () => time.nowMs() });
  const undecoded = new UndecodedCounts(log, onUnused);
  const reading = runLoop({
    name: 'chain-indexer',
    log,
    signal,
    idleMs: time.timerMs(TAKE_OVER_MS),
    async step(stop, pulse) {
      const locks = { lock: advisoryLocks.chainIndexer, shardCount: POOL_SHARDS };
      await withShardLocks(context.db, locks, (held) => {
        const shards = new PoolShards();
        const withLock = { ...context, db: held.database };
        // A rollback ends the indexing; a new one reads all pools again.
        const rolledBack = new AbortController();
        const running = AbortSignal.any([stop, held.signal, rolledBack.signal]);
        const finality = new FinalityWatch({
          ...withLock,
          connection,
          nodes,
          log,
          time,
          onRolledBack: () => rolledBack.abort(),
          shards,
        });
        const nodeTimes = new NodeTimes(rpcs, nodes, context.clock, log, time);
        const proofs = new SourceProofs({ db: context.db, connection, log, nodeTimes, time });
        const polling: PollDependencies = {
          ...withLock,
          connection,
          nodes,
          undecoded,
          writes: new PoolWrites(withLock),
          blocks: new SharedBlocks(),
          shards,
          ...indexing,
          head,
          onQuietPoolsProven(proof) {
            proofs.provePools(proof.poolAddresses, { slot: proof.slot, blockTime: proof.time });
            onQuietPoolsProven(proof);
          },
          log,
          limits,
          proofs,
          batchEnds: finality.ends,
          signal: running,
          onLaunchStep: (mint, fact) => advanceLaunch(withLock, mint, fact),
          onFeeFacts: (transactions) =>
            recordFeeFacts({ ...withLock, log, describeFeeDistribution }, transactions),
        };
        return {
          running: runTogether(running, (signal) => [
            pollPools({ ...polling, signal }, pulse),
            nodeTimes.run(signal),
            proofs.run(signal),
            finality.run(signal),
          ]),
          async hold(held) {
            indexing.budget.shareOut(Math.max(1, held.size) / POOL_SHARDS);
            await shards.hold(held);
            log.info({ shards: held.size }, 'indexer.shards_held');
          },
        };
      });
      return false;
    },
  });
  // Wake-ups run without the lock too, so that the worker that takes over has them from its first moment.
  await Promise.all([reading, indexing.wakeUps.run(signal)]);
}
