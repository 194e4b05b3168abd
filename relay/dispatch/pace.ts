/** What waits for an endpoint in memory is as much as it takes in this time. */
const WINDOW_MS = 250;
/** Weight of the last attempt in the average. */
const LAST_WEIGHT = 0.1;
/** No endpoint counts as faster. */
const FAST_MS = 0.25;

/** How fast an endpoint answers: a moving average over its attempts. */
export class Pace {
  #averageMs = FAST_MS;

  noteEnd(tookMs: number): void {
    this.#averageMs += LAST_WEIGHT * (tookMs - this.#averageMs);
  }

  /** Attempts that end within the window when `limit` of them are in flight at a time. */
  inWindow(limit: number): number {
    return Math.floor((limit * WINDOW_MS) / Math.max(FAST_MS, this.#averageMs));
  }
}
