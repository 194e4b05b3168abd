import type { NatsConnection } from '@nats-io/transport-node';
import { SIGNATURES_MAX } from '../chain/history-calls.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { EventAlarm } from '../indexer/source/event-alarm.ts';
import { NodeSet } from '../indexer/source/node-set.ts';
import type { ReadLimits } from '../indexer/source/pool-reader.ts';
import { runSource } from '../indexer/source/run-source.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { advanceLaunch, type LaunchProgressContext } from './launch-progress.ts';

/** How soon another worker takes over from one that died. */
const TAKE_OVER_MS = 1_000;
const LIMITS: ReadLimits = { pageSize: SIGNATURES_MAX, batchSize: 64 };

export interface ChainIndexerJob {
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  context: LaunchProgressContext;
  log: Logger;
  signal: AbortSignal;
  limits?: ReadLimits;
}

/**
 * Brings the swaps of bonding-curve pools from the chain into the ingest stream until the signal aborts. One worker
 * does it for all, so that nodes are asked once. The lock only saves work: a worker that lost it without knowing
 * publishes what the broker has already, and cannot move a cursor that another has moved.
 */
export async function runChainIndexer(job: ChainIndexerJob): Promise<void> {
  const { connection, rpcs, context, log, signal, limits = LIMITS } = job;
  const nodes = new NodeSet(rpcs, log);
  const alarm = new EventAlarm(log);
  await runLoop({
    name: 'chain-indexer',
    log,
    signal,
    idleMs: TAKE_OVER_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(context.db, advisoryLocks.chainIndexer, (held) => {
        const withLock = { ...context, db: held.database };
        const source: Parameters<typeof runSource>[0] = {
          ...withLock,
          connection,
          nodes,
          alarm,
          log,
          limits,
          signal: AbortSignal.any([stop, held.signal]),
          onLaunchStep: (mint, step) => advanceLaunch(withLock, mint, step),
        };
        return runSource(source, pulse);
      });
      return false;
    },
  });
}
