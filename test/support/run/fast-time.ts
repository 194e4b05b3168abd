import type { SteadyTime } from '../../../src/indexer/steady-time.ts';

const TIMES = 5;

/** Time that passes five times as fast, so that pauses end sooner but in the same order. */
export const fastTime: SteadyTime = {
  nowMs: () => performance.now() * TIMES,
  timerMs: (durationMs) => durationMs / TIMES,
};
