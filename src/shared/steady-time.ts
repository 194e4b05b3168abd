/** Time for pauses and for what lies between two events: it only grows, from any beginning. */
export interface SteadyTime {
  /** In milliseconds. */
  nowMs(): number;
  /** How long a timer of this process takes for so much of it. */
  timerMs(durationMs: number): number;
}

export const steadyTime: SteadyTime = {
  nowMs: () => performance.now(),
  timerMs: (durationMs) => durationMs,
};
