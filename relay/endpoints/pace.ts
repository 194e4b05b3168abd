/** Deliveries that an endpoint takes in this time may wait in memory for it. */
const WINDOW_MS = 250;
/** Sum of the durations of attempts in each half of the average: 250 ms with eight in flight. */
const HALF_MS = 2_000;
/** Until its first attempts, an endpoint counts as one that answers in this time. */
const UNKNOWN_MS = 2;
/** No endpoint counts as faster than this. */
const FAST_MS = 0.25;

interface Ends {
  count: number;
  tookMs: number;
}

/**
 * How fast an endpoint answers: the average over its attempts in the last half second in which it was busy. The last
 * few attempts alone would not do, because all attempts in flight seem slow while this process itself is delayed.
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

  /** The number of attempts that end within the window, with `limit` of them in flight at a time. */
  inWindow(limit: number): number {
    const averageMs = (this.#before.tookMs + this.#latest.tookMs) / (this.#before.count + this.#latest.count);
    return Math.floor((limit * WINDOW_MS) / Math.max(FAST_MS, averageMs));
  }
}
