import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import type { SteadyTime } from '../steady-time.ts';
import { type IndexedPool, listIndexedPools } from './list-pools.ts';

/** How soon the pool of a new token is polled, while the listing is quick. */
const REFRESH_MS = 1_000;
/** The listing takes at most a twentieth of the time: with 10,000 pools some 100 ms, every 2 s. */
const REFRESH_SHARE = 20;

export interface ListedPoolsDependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  time: SteadyTime;
  signal: AbortSignal;
}

/**
 * Lists the pools to read again and again until the signal aborts. Reading runs at the same time and never
 * waits for it. Never rejects: a failure is logged once per streak, and the pools of the last list stay.
 */
export async function keepListed(
  { db, clock, log, time, signal }: ListedPoolsDependencies,
  onListed: (pools: readonly IndexedPool[]) => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const beganAtMs = performance.now();
    try {
      const pools = await listIndexedPools(db, clock.now());
      if (!signal.aborted) onListed(pools);
      failures = 0;
    } catch (err) {
      failures += 1;
      if (failures === 1) log.error({ err }, 'indexer.pools_not_listed');
    }
    await wait(Math.max(time.timerMs(REFRESH_MS), (performance.now() - beganAtMs) * REFRESH_SHARE), signal);
  }
}
