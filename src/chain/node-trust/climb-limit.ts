/** Twice the pace of the chain, which makes 2.5 slots a second. */
export const CLIMB_PER_SECOND = 5;
/** How far a node may be ahead of that pace: less than half of the 150 blocks that a blockhash lives. */
const BURST = 64;

/**
 * How far a height or slot can have climbed since it was last believed: a token bucket with a rate per second and a
 * burst that refills. After a pause of any length the pause itself allows the climb.
 */
export class ClimbLimit {
  #highest: bigint | null = null;
  #sinceMs = 0;
  #credit = BURST;

  /** False before anything was believed. */
  allows(value: bigint, now: Date): boolean {
    return this.#highest !== null && Number(value - this.#highest) <= this.#creditAt(now);
  }

  /** Takes a believed value for the highest, unless it is lower: an address may lead to several nodes, and some lag. */
  take(value: bigint, now: Date): void {
    if (this.#highest !== null && value <= this.#highest) return;
    if (this.#highest !== null) {
      const left = this.#creditAt(now) - Number(value - this.#highest);
      this.#credit = Math.max(0, Math.min(BURST, left));
    }
    this.#highest = value;
    this.#sinceMs = now.getTime();
  }

  #creditAt(now: Date): number {
    return this.#credit + (Math.max(0, now.getTime() - this.#sinceMs) / 1_000) * CLIMB_PER_SECOND;
  }
}
