/** A clock that moves only on request. Has the shape of `Clock` in src/shared/clock.ts. */
export interface TestClock {
  now(): Date;
  advance(durationMs: number): void;
  set(date: Date): void;
}

/** Starts at `start`, else at a fixed instant, so that failures always show the same times. */
export function createTestClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance(durationMs) {
      nowMs += durationMs;
    },
    set(date) {
      nowMs = date.getTime();
    },
  };
}
