import type { Logger } from '../../shared/log.ts';
import { Wakeup } from '../../shared/loop.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import { type IndexedPool, listIndexedPools } from './list-pools.ts';
import { PoolReader, type PoolReaderDependencies } from './pool-reader.ts';

/** Pools read at the same time; more would only queue at the nodes. */
const POOLS_IN_FLIGHT_MAX = 8;
/** How soon the pool of a new token is polled. */
const REFRESH_MS = 1_000;
/** A pool is polled again after a twentieth of the time it has been quiet, at least this long. */
const QUIET_SHARE = 20;
const FIRST_PAUSE_MS = 500;
/** Quiet pools together cost the nodes at most 50 requests a second, as long as none has to wait longer than 15 s. */
const PAUSE_PER_POOL_MS = 20;
const LAST_PAUSE_MS = 15_000;
const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;

interface PolledPool {
  pool: IndexedPool;
  reader: PoolReader;
  dueAtMs: number;
  lastActiveAtMs: number;
  /** Consecutive steps that made no progress. */
  setbacks: number;
  /** Consecutive steps that threw. */
  failures: number;
}

/** Reads the pools of all known tokens until the signal aborts, then waits for the steps that run. */
export async function pollPools(dependencies: PoolReaderDependencies, pulse: LoopPulse): Promise<void> {
  const { signal, log } = dependencies;
  const watched = new Map<string, PolledPool>();
  const running = new Map<PolledPool, Promise<void>>();
  const changed = new Wakeup();
  let refreshAtMs = 0;
  let refreshFailures = 0;
  while (!signal.aborted) {
    if (performance.now() >= refreshAtMs) {
      try {
        syncPools(watched, await listIndexedPools(dependencies.db, dependencies.clock.now()), dependencies);
        refreshFailures = 0;
      } catch (err) {
        refreshFailures += 1;
        if (refreshFailures === 1) log.error({ err }, 'indexer.pools_not_listed');
      }
      refreshAtMs = performance.now() + REFRESH_MS;
    }
    startDue(watched, running, changed, log);
    await pulse.rest(changed.wait(pauseMs(watched, running, refreshAtMs), signal));
  }
  await Promise.all(running.values());
}

/** Adds new pools, drops those that are gone, and restarts those where a token's facts have changed. */
function syncPools(
  watched: Map<string, PolledPool>,
  pools: readonly IndexedPool[],
  dependencies: PoolReaderDependencies,
): void {
  const now = performance.now();
  const listed = new Set(pools.map(({ poolAddress }) => poolAddress));
  for (const address of watched.keys()) if (!listed.has(address)) watched.delete(address);
  for (const pool of pools) {
    const known = watched.get(pool.poolAddress)?.pool;
    if (known?.mintAddress === pool.mintAddress && known.decimals === pool.decimals) continue;
    const reader = new PoolReader(dependencies, pool);
    watched.set(pool.poolAddress, {
      pool,
      reader,
      dueAtMs: now,
      lastActiveAtMs: now,
      setbacks: 0,
      failures: 0,
    });
  }
}

/** Starts the pools that have been due longest; one that has more to read goes to the end of the queue. */
function startDue(
  watched: ReadonlyMap<string, PolledPool>,
  running: Map<PolledPool, Promise<void>>,
  changed: Wakeup,
  log: Logger,
): void {
  const now = performance.now();
  const due = [...watched.values()].filter((one) => one.dueAtMs <= now && !running.has(one));
  due.sort((left, right) => left.dueAtMs - right.dueAtMs);
  for (const one of due.slice(0, Math.max(0, POOLS_IN_FLIGHT_MAX - running.size))) {
    const finished = stepOf(one, watched.size, log).finally(() => {
      running.delete(one);
      changed.wake();
    });
    running.set(one, finished);
  }
}

async function stepOf(one: PolledPool, poolCount: number, log: Logger): Promise<void> {
  const { poolAddress } = one.pool;
  try {
    const outcome = await one.reader.step();
    if (one.failures > 0) log.info({ poolAddress, failures: one.failures }, 'indexer.pool_recovered');
    one.failures = 0;
    one.setbacks = outcome === 'later' ? one.setbacks + 1 : 0;
    if (outcome === 'more') one.lastActiveAtMs = performance.now();
    one.dueAtMs = performance.now() + (outcome === 'more' ? 0 : pauseBeforeNextMs(one, poolCount));
  } catch (err) {
    one.failures += 1;
    one.setbacks += 1;
    log[one.failures === 1 ? 'error' : 'debug'](
      { poolAddress, failures: one.failures, err },
      'indexer.pool_failed',
    );
    one.dueAtMs = performance.now() + pauseBeforeNextMs(one, poolCount);
  }
}

function pauseBeforeNextMs({ setbacks, lastActiveAtMs }: PolledPool, poolCount: number): number {
  if (setbacks > 0) return Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(setbacks, 8));
  const quietMs = performance.now() - lastActiveAtMs;
  const longestMs = Math.min(LAST_PAUSE_MS, poolCount * PAUSE_PER_POOL_MS);
  return Math.max(FIRST_PAUSE_MS, Math.min(longestMs, quietMs / QUIET_SHARE));
}

/** Until the next pool is due, or the next refresh. With all places taken, a step that ends wakes the loop. */
function pauseMs(
  watched: ReadonlyMap<string, PolledPool>,
  running: ReadonlyMap<PolledPool, unknown>,
  refreshAtMs: number,
): number {
  let untilMs = refreshAtMs;
  if (running.size < POOLS_IN_FLIGHT_MAX)
    for (const one of watched.values()) if (!running.has(one)) untilMs = Math.min(untilMs, one.dueAtMs);
  return Math.max(0, untilMs - performance.now());
}
