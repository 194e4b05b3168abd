/**
 * How far a node may be ahead of the pace that limits it: less than half of the 150 blocks for which a blockhash
 * is valid.
 */
export const BURST_BLOCKS = 64;

/**
 * How far a height or slot can have climbed since it was last believed: a token bucket with a rate per second
 * and a burst that refills. After a long pause the rate alone allows the climb.
 */
export class ClimbLimit {
  #highest: bigint | null = null;
  #sinceMs = 0;
  #credit = BURST_BLOCKS;

  /** False before a value was believed. */
  allows(value: bigint, now: Date, perSecond: number): boolean {
    // When the clock is set back, the time that has passed is unknown: it counts from here.
    this.#sinceMs = Math.min(this.#sinceMs, now.getTime());
    return this.#highest !== null && Number(value - this.#highest) <= this.#creditAt(now, perSecond);
  }

  /**
   * Records a believed value as the highest. A lower value changes nothing: an address may lead to several
   * nodes, and some lag.
   */
  take(value: bigint, now: Date, perSecond: number): void {
    if (this.#highest !== null && value <= this.#highest) return;
    if (this.#highest !== null) {
      const left = this.#creditAt(now, perSecond) - Number(value - this.#highest);
      this.#credit = Math.max(0, Math.min(BURST_BLOCKS, left));
    }
    this.#highest = value;
    this.#sinceMs = now.getTime();
  }

  #creditAt(now: Date, perSecond: number): number {
    return this.#credit + (Math.max(0, now.getTime() - this.#sinceMs) / 1_000) * perSecond;
  }
}
