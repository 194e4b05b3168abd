import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup } from '../../src/shared/loop.ts';

const TICK_MS = 50;
/** The longest pause while nothing waits; `hasWork` ends it. */
const IDLE_MS = 60_000;

interface TickLoopOptions {
  name: string;
  /** Whether nothing waits. */
  isIdle(): boolean;
  /** Woken when something begins to wait. */
  hasWork: Wakeup;
  tick(nowMs: number): void;
  log: Logger;
}

/** Calls `tick` every 50 ms while deliveries wait in memory for a slot. */
export function tickLoop(
  { name, isIdle, hasWork, tick, log }: TickLoopOptions,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name,
    log,
    signal,
    idleMs: TICK_MS,
    async step(stepSignal, pulse) {
      if (isIdle()) await pulse.rest(hasWork.wait(IDLE_MS, stepSignal));
      tick(performance.now());
      return false;
    },
  });
}
