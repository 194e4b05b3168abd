/** A time that only grows, from an arbitrary start, for pauses and intervals. */
export interface SteadyTime {
  /** In milliseconds. */
  nowMs(): number;
  /** Converts a duration of this time to a delay for a timer of this process. */
  timerMs(durationMs: number): number;
}

export const steadyTime: SteadyTime = {
  nowMs: () => performance.now(),
  timerMs: (durationMs) => durationMs,
};
