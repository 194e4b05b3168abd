/** Twice the pace of the chain, which makes 2.5 slots a second. */
export const CLIMB_PER_SECOND = 5;
/**
 * How far a node may be ahead of that pace: less than half of the 150 blocks for which a blockhash is valid.
 */
const BURST = 64;

/**
 * How far a height or slot can have climbed since it was last believed: a token bucket with a rate per second
 * and a burst that refills. After a long pause the rate alone allows the climb.
 */
export class ClimbLimit {
  #highest: bigint | null = null;
  #sinceMs = 0;
  #credit = BURST;

  /** False before a value was believed. */
  allows(value: bigint, now: Date): boolean {
    return this.#highest !== null && Number(value - this.#highest) <= this.#creditAt(now);
  }

  /**
   * Records a believed value as the highest. A lower value changes nothing: an address may lead to several
   * nodes, and some lag.
   */
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
