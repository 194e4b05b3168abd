import type { Logger } from '../../shared/log.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import type { SteadyTime } from '../steady-time.ts';
import type { WakeUpSources } from '../wake-ups/wake-up-sources.ts';
import { AccountStates } from './account-states.ts';
import type { PollingState } from './indexer-metrics.ts';
import { type IndexedPool, keepListed } from './list-pools.ts';
import { PolledPool } from './polled-pool.ts';
import { PoolReader, type PoolReaderDependencies } from './pool-reader.ts';
import type { PoolShards } from './pool-shards.ts';
import { type QuietSweepDependencies, runQuietSweep } from './quiet-sweep.ts';
import type { RequestBudget } from './request-budget.ts';
import { RequestPriority } from './request-priority.ts';
import { WalkQueue } from './walk-queue.ts';

/**
 * Pools that are read at the same time, at least. A woken pool makes three calls of some 10 ms each, so this number
 * is far above the default budget. A larger budget has one for each 16 requests a second.
 */
const POOLS_IN_FLIGHT_MIN = 16;
const REQUESTS_PER_POOL = 16;
/**
 * The share of pools among these that no wake-up announced. They wait for the budget longest, and must leave room
 * for the others.
 */
const ORDINARY_SHARE = 1 / 4;
/** The longest time between two searches for due pools. */
const LONGEST_PAUSE_MS = 250;

/**
 * When there are many pools at once, as after a start, they are swept before they are walked: one walk is
 * then enough to prove the state that the sweep saw. One request of the sweep reads 99 pools.
 */
const FIRST_WALK_PER_POOL_MS = 0.5;
const FIRST_WALK_MAX_MS = 5_000;

export interface PollDependencies
  extends PoolReaderDependencies,
    Pick<QuietSweepDependencies, 'budget' | 'head' | 'onQuietPoolsProven'> {
  budget: RequestBudget;
  /** The sources that report changed pools. If there are none, only the sweep finds them. */
  wakeUps: WakeUpSources;
  state: PollingState;
  /** The pools of these shards are read. */
  shards: PoolShards;
  time: SteadyTime;
}

/**
 * Reads the pools of all known tokens until the signal aborts, then waits for running steps. Wake-ups and
 * sweeps decide which pools are read first. Only the walk of a pool's own list decides which transactions are
 * read.
 */
export async function pollPools(dependencies: PollDependencies, pulse: LoopPulse): Promise<void> {
  const { wakeUps, state, time, blocks } = dependencies;
  const pools = new Map<string, PolledPool>();
  const queue = new WalkQueue(pools);
  const running = new Map<PolledPool, Promise<void>>();
  const stopListening = wakeUps.listen({
    isKnown: (address) => pools.has(address),
    onWakeUp({ poolAddress, slot, hash }) {
      const pool = pools.get(poolAddress);
      if (pool === undefined) return;
      blocks.noteChange(poolAddress, slot);
      queue.observe(pool, pool.stateAfter({ slot, hash }), time.nowMs());
    },
  });
  state.begin(pools, queue, dependencies.shards);
  const sweeping = runQuietSweep({ ...dependencies, pools, queue });
  try {
    await readPools(dependencies, { pools, queue, running }, pulse);
  } finally {
    stopListening();
    state.end();
    await Promise.all([...running.values(), sweeping]);
  }
}

interface Polling {
  pools: Map<string, PolledPool>;
  queue: WalkQueue;
  running: Map<PolledPool, Promise<void>>;
}

async function readPools(
  dependencies: PollDependencies,
  { pools, queue, running }: Polling,
  pulse: LoopPulse,
): Promise<void> {
  const { signal, time, budget, shards } = dependencies;
  let lastListed: readonly IndexedPool[] = [];
  const sync = () => {
    const own = lastListed.filter(({ poolAddress }) => shards.has(poolAddress));
    syncPools(pools, own, dependencies);
    queue.changed.wake();
  };
  const listing = keepListed(dependencies, (listed) => {
    lastListed = listed;
    sync();
  });
  const stopListening = shards.listen(async () => {
    sync();
    const others = [...running].filter(([{ pool }]) => !shards.has(pool.poolAddress));
    await Promise.all(others.map(([, step]) => step));
  });
  while (!signal.aborted) {
    const inFlightMax = Math.max(POOLS_IN_FLIGHT_MIN, Math.ceil(budget.perSecond / REQUESTS_PER_POOL));
    const ordinaryMax = Math.floor(inFlightMax * ORDINARY_SHARE);
    while (running.size < inFlightMax) {
      const pool = queue.take(running, time.nowMs(), ordinaryMax);
      if (pool === undefined) break;
      const step = stepPool(pool, pools.size, dependencies).finally(() => {
        running.delete(pool);
        queue.returnPool(pool);
      });
      running.set(pool, step);
    }
    // While the permitted number of pools is read, the end of a step wakes the loop.
    const pauseMs = running.size >= inFlightMax ? LONGEST_PAUSE_MS : queue.nextAtMs() - time.nowMs();
    await pulse.rest(
      queue.changed.wait(time.timerMs(Math.max(1, Math.min(LONGEST_PAUSE_MS, pauseMs))), signal),
    );
  }
  stopListening();
  await listing;
}

/** Adds new pools, removes those that are gone, and restarts pools whose token facts have changed. */
function syncPools(
  polled: Map<string, PolledPool>,
  listed: readonly IndexedPool[],
  dependencies: PollDependencies,
): void {
  const now = dependencies.time.nowMs();
  const addedCount = listed.filter(({ poolAddress }) => !polled.has(poolAddress)).length;
  const firstWalkAtMs = now + Math.min(FIRST_WALK_MAX_MS, addedCount * FIRST_WALK_PER_POOL_MS);
  const addresses = new Set(listed.map(({ poolAddress }) => poolAddress));
  for (const address of polled.keys()) if (!addresses.has(address)) polled.delete(address);
  for (const pool of listed) {
    const known = polled.get(pool.poolAddress);
    if (known?.pool.mintAddress === pool.mintAddress && known.pool.decimals === pool.decimals) {
      known.pool = pool;
      continue;
    }
    const added = newPolledPool(pool, dependencies);
    added.dueAtMs = firstWalkAtMs;
    polled.set(pool.poolAddress, added);
  }
}

/** The reader's requests are urgent while the pool is. */
function newPolledPool(pool: IndexedPool, dependencies: PollDependencies): PolledPool {
  const states = new AccountStates();
  const priority = new RequestPriority(states);
  const nodes = dependencies.nodes.withPriority(priority);
  const reader = new PoolReader({ ...dependencies, nodes }, pool);
  return new PolledPool({ pool, states, priority, reader }, dependencies.time.nowMs());
}

async function stepPool(
  polled: PolledPool,
  poolCount: number,
  { log, time }: { log: Logger; time: SteadyTime },
): Promise<void> {
  const { poolAddress } = polled.pool;
  const { failures } = polled;
  try {
    await polled.step(poolCount, () => time.nowMs());
    if (failures > 0) log.info({ poolAddress, failures }, 'indexer.pool_recovered');
  } catch (err) {
    polled.fail(time.nowMs());
    log[polled.failures === 1 ? 'error' : 'debug'](
      { poolAddress, failures: polled.failures, err },
      'indexer.pool_failed',
    );
  }
}
