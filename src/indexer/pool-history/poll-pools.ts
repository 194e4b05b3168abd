import type { Logger } from '../../shared/log.ts';
import { Wakeup } from '../../shared/loop.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import type { SteadyTime } from '../steady-time.ts';
import type { WakeUpSources } from '../wake-ups/wake-up-sources.ts';
import type { PollingState } from './indexer-metrics.ts';
import { keepListed } from './keep-listed.ts';
import type { IndexedPool } from './list-pools.ts';
import { PolledPool } from './polled-pool.ts';
import { PoolReader, type PoolReaderDependencies } from './pool-reader.ts';
import { type QuietSweepDependencies, runQuietSweep } from './quiet-sweep.ts';
import type { RequestBudget } from './request-budget.ts';
import { WalkQueue } from './walk-queue.ts';

/**
 * Pools that are read at the same time. A woken pool makes three calls of some 10 ms each, so this number is
 * far above the budget.
 */
const POOLS_IN_FLIGHT_MAX = 16;
/**
 * The most pools among these that no wake-up announced. They wait for the budget longest, and must not take
 * every place.
 */
const ORDINARY_IN_FLIGHT_MAX = 4;
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
  /** The sources that report changed pools. Without a source only the sweep finds them. */
  wakeUps: WakeUpSources;
  state: PollingState;
  time: SteadyTime;
}

/**
 * Reads the pools of all known tokens until the signal aborts, then waits for running steps. Wake-ups and
 * sweeps decide which pools are read first. Only the walk of a pool's own list decides which transactions are
 * read.
 */
export async function pollPools(dependencies: PollDependencies, pulse: LoopPulse): Promise<void> {
  const { wakeUps, state, time } = dependencies;
  const pools = new Map<string, PolledPool>();
  const queue = new WalkQueue(pools);
  const running = new Map<PolledPool, Promise<void>>();
  const changed = new Wakeup();
  const see = (pool: PolledPool, sight: Parameters<PolledPool['see']>[0]) => {
    const now = time.nowMs();
    const verdict = pool.see(sight, now);
    if (verdict === 'changed') {
      if (pool.sights.isUrgent) queue.wake(pool);
      changed.wake();
    }
    return verdict;
  };
  const forget = wakeUps.listen({
    isKnown: (address) => pools.has(address),
    onWakeUp({ poolAddress, slot, hash }) {
      const pool = pools.get(poolAddress);
      if (pool !== undefined) see(pool, pool.sightOf({ slot, hash }));
    },
  });
  state.begin(pools, queue);
  const sweeping = runQuietSweep({ ...dependencies, pools, see });
  try {
    await readPools(dependencies, { pools, queue, running, changed }, pulse);
  } finally {
    forget();
    state.end();
    await Promise.all([...running.values(), sweeping]);
  }
}

interface Polling {
  pools: Map<string, PolledPool>;
  queue: WalkQueue;
  running: Map<PolledPool, Promise<void>>;
  changed: Wakeup;
}

async function readPools(
  dependencies: PollDependencies,
  { pools, queue, running, changed }: Polling,
  pulse: LoopPulse,
): Promise<void> {
  const { signal, time } = dependencies;
  const listed = keepListed(dependencies, (found) => {
    syncPools(pools, found, dependencies);
    changed.wake();
  });
  while (!signal.aborted) {
    while (running.size < POOLS_IN_FLIGHT_MAX) {
      const pool = queue.take(running, time.nowMs(), ORDINARY_IN_FLIGHT_MAX);
      if (pool === undefined) break;
      const finished = stepOf(pool, pools.size, dependencies).finally(() => {
        running.delete(pool);
        if (pool.sights.isUrgent) queue.wake(pool);
        changed.wake();
      });
      running.set(pool, finished);
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, pauseForDue(queue, running, time));
    await pulse.rest(changed.wait(time.timerMs(Math.max(1, pauseMs)), signal));
  }
  await listed;
}

/** While all places are taken, the end of a step wakes the loop. */
function pauseForDue(queue: WalkQueue, running: ReadonlyMap<PolledPool, unknown>, time: SteadyTime): number {
  if (running.size >= POOLS_IN_FLIGHT_MAX) return LONGEST_PAUSE_MS;
  return queue.nextAtMs() - time.nowMs();
}

/** Adds new pools, removes those that are gone, and restarts pools whose token facts have changed. */
function syncPools(
  watched: Map<string, PolledPool>,
  pools: readonly IndexedPool[],
  dependencies: PollDependencies,
): void {
  const now = dependencies.time.nowMs();
  const added = pools.filter(({ poolAddress }) => !watched.has(poolAddress)).length;
  const firstWalkAtMs = now + Math.min(FIRST_WALK_MAX_MS, added * FIRST_WALK_PER_POOL_MS);
  const listed = new Set(pools.map(({ poolAddress }) => poolAddress));
  for (const address of watched.keys()) if (!listed.has(address)) watched.delete(address);
  for (const pool of pools) {
    const known = watched.get(pool.poolAddress);
    if (known?.pool.mintAddress === pool.mintAddress && known.pool.decimals === pool.decimals) {
      known.pool = pool;
      continue;
    }
    const polled = new PolledPool(pool, now);
    polled.dueAtMs = firstWalkAtMs;
    const nodes = dependencies.nodes.withPriority(() => polled.isUrgent);
    polled.reader = new PoolReader({ ...dependencies, nodes }, pool);
    watched.set(pool.poolAddress, polled);
  }
}

async function stepOf(
  one: PolledPool,
  poolCount: number,
  { log, time }: { log: Logger; time: SteadyTime },
): Promise<void> {
  const { poolAddress } = one.pool;
  const { failures } = one;
  try {
    await one.step(poolCount, () => time.nowMs());
    if (failures > 0) log.info({ poolAddress, failures }, 'indexer.pool_recovered');
  } catch (err) {
    one.fail(time.nowMs());
    log[one.failures === 1 ? 'error' : 'debug'](
      { poolAddress, failures: one.failures, err },
      'indexer.pool_failed',
    );
  }
}
