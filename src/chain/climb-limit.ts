/** Twice the pace of the chain, which makes 2.5 slots a second. */
export const CLIMB_PER_SECOND = 5;
/** What a node may be ahead of that at once: less than half of the 150 blocks that a blockhash lives. */
const BURST = 64;

/**
 * What a height or slot can have come to since it was last believed: so much per second of the time that has passed,
 * and a burst on top that is earned back. After a pause of any length the pause itself allows the climb.
 */
export class ClimbLimit {
  #highest: bigint | null = null;
  #sinceMs = 0;
  #credit = BURST;

  /** False before anything was believed. */
  allows(value: bigint, now: Date): boolean {
    return this.#highest !== null && Number(value - this.#highest) <= this.#creditAt(now);
  }

  /** Takes a believed value for the highest, unless it is lower: nodes behind one address lag now and then. */
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
