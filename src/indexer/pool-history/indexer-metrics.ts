import { leaveReasons } from '../../chain/streams/stream-watch.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { SteadyTime } from '../steady-time.ts';
import type { WakeUpSources } from '../wake-ups/wake-up-sources.ts';
import type { PolledPool } from './polled-pool.ts';
import type { PoolShards } from './pool-shards.ts';
import type { RequestBudget } from './request-budget.ts';
import type { WalkQueue } from './walk-queue.ts';

/** The current work of this process's chain indexer. A process without the lock reports nothing. */
export class PollingState {
  readonly #time: SteadyTime;
  #polling: {
    pools: ReadonlyMap<string, PolledPool>;
    queue: WalkQueue;
    shards: Pick<PoolShards, 'count'>;
    beganAtMs: number;
  } | null = null;

  constructor(time: SteadyTime) {
    this.#time = time;
  }

  begin(pools: ReadonlyMap<string, PolledPool>, queue: WalkQueue, shards: Pick<PoolShards, 'count'>): void {
    this.#polling = { pools, queue, shards, beganAtMs: this.#time.nowMs() };
  }

  end(): void {
    this.#polling = null;
  }

  get shardCount(): number | null {
    return this.#polling?.shards.count ?? null;
  }

  get wokenCount(): number | null {
    return this.#polling?.queue.wokenCount ?? null;
  }

  get poolCount(): number | null {
    return this.#polling?.pools.size ?? null;
  }

  /** Pools that have not been proven since they were added. */
  get unprovenCount(): number | null {
    const polling = this.#polling;
    if (polling === null) return null;
    let count = 0;
    for (const { provenAtMs } of polling.pools.values()) if (provenAtMs === null) count += 1;
    return count;
  }

  /** The age of the oldest proof among all pools. */
  get sweepAgeSeconds(): number | null {
    const polling = this.#polling;
    if (polling === null) return null;
    const now = this.#time.nowMs();
    let oldestMs = now;
    for (const { provenAtMs, addedAtMs } of polling.pools.values())
      oldestMs = Math.min(oldestMs, provenAtMs ?? addedAtMs);
    return (now - oldestMs) / 1_000;
  }
}

/** Created once by the worker. The chain indexer reports to it. */
export interface ChainIndexing {
  wakeUps: WakeUpSources;
  budget: RequestBudget;
  state: PollingState;
  /** The clock of all its pauses. Requests to nodes have their own limits, in real time. */
  time: SteadyTime;
}

/** Metrics of the chain indexer. The label `node` is the name of the node; for streams, their host and port. */
export function observeChainIndexing(
  metrics: ProcessMetrics,
  { wakeUps, budget, state }: ChainIndexing,
): void {
  metrics.tallies(
    'launchwire_indexer_requests_total',
    'Requests of the chain indexer to all nodes together',
    [],
    () => [{ labels: {}, count: budget.granted }],
  );
  metrics.liveGauge(
    'launchwire_indexer_requests_waiting',
    'Requests of the chain indexer that wait because its budget is used up',
    () => budget.waiting,
  );
  metrics.liveGauge(
    'launchwire_indexer_shards',
    'Shards of the pools that this worker reads: of all workers together 16',
    () => state.shardCount,
  );
  metrics.liveGauge('launchwire_indexer_pools', 'Pools that this worker reads', () => state.poolCount);
  metrics.liveGauge(
    'launchwire_indexer_pools_unproven',
    'Pools whose history has not been proven complete since this worker began to read them',
    () => state.unprovenCount,
  );
  metrics.liveGauge(
    'launchwire_indexer_pools_woken',
    'Pools that have changed and wait to be read',
    () => state.wokenCount,
  );
  metrics.liveGauge(
    'launchwire_indexer_sweep_age_seconds',
    'Longest time since a sweep or a walk last proved that nothing of a pool is unread',
    () => state.sweepAgeSeconds,
  );
  metrics.tallies(
    'launchwire_indexer_wake_ups_total',
    'Changes of known pools that a stream reported, by source and node',
    ['source', 'node'],
    function* () {
      for (const { source, node, wakeUps: count } of wakeUps.states)
        yield { labels: { source, node }, count };
    },
  );
  metrics.tallies(
    'launchwire_indexer_streams_left_total',
    'Wake-up streams that ended or that the worker left, by reason',
    ['source', 'node', 'reason'],
    function* () {
      for (const { source, node, left } of wakeUps.states)
        for (const reason of leaveReasons) yield { labels: { source, node, reason }, count: left[reason] };
    },
  );
  const up = metrics.gauge(
    'launchwire_indexer_stream_up',
    'Whether a wake-up stream is connected and reports slots: 1 or 0',
    ['source', 'node'],
  );
  metrics.addSource({
    name: 'wake_ups',
    gauges: [up],
    load: async () => () => {
      for (const { source, node, isUp } of wakeUps.states) up.set(isUp ? 1 : 0, { source, node });
    },
  });
}
