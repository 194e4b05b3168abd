/** What waits for an endpoint in memory is as much as it takes in this time. */
const WINDOW_MS = 250;
/** Time of attempts that one half of the average covers: with eight in flight, that of a window. */
const HALF_MS = 2_000;
/** An endpoint that nobody knows counts as one that answers in so many milliseconds. */
const UNKNOWN_MS = 2;
/** No endpoint counts as faster. */
const FAST_MS = 0.25;

interface Ends {
  count: number;
  tookMs: number;
}

/**
 * How fast an endpoint answers: the average over its attempts of the last half second in which it was busy. Not of the last few: those
 * in flight while this process itself stands still for a moment all seem slow.
 */
export class Pace {
  #before: Ends = { count: HALF_MS / UNKNOWN_MS, tookMs: HALF_MS };
  #latest: Ends = { count: 0, tookMs: 0 };

  noteEnd(tookMs: number): void {
    this.#latest.count += 1;
    this.#latest.tookMs += tookMs;
    if (this.#latest.tookMs < HALF_MS) return;
    this.#before = this.#latest;
    this.#latest = { count: 0, tookMs: 0 };
  }

  /** Attempts that end within the window when `limit` of them are in flight at a time. */
  inWindow(limit: number): number {
    const averageMs = (this.#before.tookMs + this.#latest.tookMs) / (this.#before.count + this.#latest.count);
    return Math.floor((limit * WINDOW_MS) / Math.max(FAST_MS, averageMs));
  }
}
