import type { SteadyTime } from '../../../src/shared/steady-time.ts';

const TIMES = 5;

/** Passes five times as fast as the machine's: what waits for its pauses is there sooner, and in the same order. */
export const fastTime: SteadyTime = {
  nowMs: () => performance.now() * TIMES,
  timerMs: (durationMs) => durationMs / TIMES,
};
