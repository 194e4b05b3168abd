import type { NatsConnection } from '@nats-io/transport-node';
import { type ChainHeadSource, freshPacedSlot } from '../chain/head.ts';
import type { TokenHolderSource } from '../chain/holdings/mint-holders.ts';
import type { Database } from '../db/client.ts';
import type { Job, StepJob, WorkerDoor } from '../db/jobs/job.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import type { FeeRefreshDependencies } from './fees/fee-refresh.ts';
import { feeStates } from './fees/run-fee-states.ts';
import { FollowedSubjects } from './followed/followed-subjects.ts';
import type { HolderCountDependencies } from './holders/count-holders.ts';
import { holderCounts } from './holders/run-holder-counts.ts';
import type { IngestDependencies } from './ingest/dependencies.ts';
import { type IngestLoopDependencies, runIngest } from './ingest/run-ingest.ts';
import { MintRefresh, type MintRefreshDependencies } from './mint-refresh.ts';
import type { ChainIndexing } from './pool-history/indexer-metrics.ts';
import type { RequestBudget } from './pool-history/request-budget.ts';
import type { OnUnused } from './pool-history/undecoded.ts';
import {
  type ChainIndexerContext,
  type ChainIndexerDependencies,
  runChainIndexer,
} from './run-chain-indexer.ts';
import { recountQueuedTraders } from './store/recount-traders.ts';
import { deleteOldReversals } from './store/trade-reversals.ts';

export interface IndexerJobDependencies
  extends Omit<IngestDependencies, 'followed'>,
    Omit<FeeRefreshDependencies, 'chainHead'>,
    Omit<ChainIndexerContext, 'db'>,
    Pick<ChainIndexerDependencies, 'advanceLaunch' | 'describeFeeDistribution'> {
  connection: NatsConnection;
  chainHead: ChainHeadSource;
  clock: Clock;
  log: Logger;
  indexing: ChainIndexing;
  holderSources: readonly TokenHolderSource[];
  metrics: {
    onAcknowledged: NonNullable<IngestLoopDependencies['onAcknowledged']>;
    onIngestHeard(): void;
    onUnused: OnUnused;
    onHoldersCounted: NonNullable<HolderCountDependencies['onCounted']>;
  };
}

const REVERSALS_MAX = 1_000;

export const indexerWorker = {
  jobs(dependencies: IndexerJobDependencies): readonly Job[] {
    const { db, outbox, clock, rpcs, chainHead, connection, log, indexing, metrics } = dependencies;
    const { onTokensChanged, advanceLaunch, describeFeeDistribution } = dependencies;
    const followed = new FollowedSubjects();
    return [
      {
        name: 'ingest',
        run: (signal) =>
          runIngest({
            connection,
            log,
            signal,
            onAcknowledged: metrics.onAcknowledged,
            onHeard: metrics.onIngestHeard,
            dependencies: { ...dependencies, followed },
          }),
      },
      {
        name: 'chain-indexer',
        run: (signal) =>
          runChainIndexer({
            connection,
            indexing,
            head: () => freshPacedSlot(chainHead, clock),
            log,
            signal,
            context: { db, outbox, clock, rpcs, onTokensChanged },
            advanceLaunch,
            describeFeeDistribution,
            onUnused: metrics.onUnused,
          }),
      },
      holderCounts({
        db,
        sources: dependencies.holderSources,
        chainHead,
        clock,
        log,
        onTokensChanged,
        onCounted: metrics.onHoldersCounted,
      }),
      feeStates({ db, outbox, clock, rpcs, chainHead, describeFeeDistribution, onTokensChanged }),
      mintFacts({ db, rpcs, chainHead, clock, onTokensChanged }, indexing.budget),
      traders(db),
    ];
  },
  sweeps: ({ db }: { db: Database }) => [
    { batchMax: REVERSALS_MAX, sweep: (now, batchMax) => deleteOldReversals(db, now, batchMax) },
  ],
} satisfies WorkerDoor;

/** Pause between two requests: a pass over 100,000 tokens takes some four minutes. */
const MINTS_PACE_MS = 250;
/** Pause between two passes: with few tokens, burns and mints are seen this late. */
const MINTS_IDLE_MS = 5_000;

/**
 * Updates decimals and supply of tokens from their mints. Every worker does this independently.
 *
 * @param budget shared with the chain indexer
 */
export function mintFacts(dependencies: MintRefreshDependencies, budget?: RequestBudget): StepJob {
  const refresh = new MintRefresh(dependencies);
  return {
    name: 'mint-facts',
    everyMs: MINTS_IDLE_MS,
    async step(stop) {
      await budget?.take(() => false);
      const isMore = await refresh.step();
      if (isMore) await wait(MINTS_PACE_MS, stop);
      return isMore;
    },
  };
}

/**
 * Computes again the pairs that the statements which store trades leave over: those with a long history. Short steps,
 * any number of workers.
 */
function traders(db: Database): StepJob {
  return {
    name: 'traders',
    isDue: (sql) => sql`exists (select from trader_recounts)`,
    step: () => recountQueuedTraders(db),
  };
}
