import { ClimbLimit } from './climb-limit.ts';

/** Where a node is, at commitment `confirmed`. */
export interface ChainPosition {
  slot: bigint;
  blockHeight: bigint;
}

/** A reading older than this says nothing about now. */
export const FRESH_MS = 10_000;
/** A node that has not responded for this long counts as gone: nothing waits for it any more. Also how long a height is remembered that nothing reaches. */
const GONE_AFTER_MS = 600_000;

/** A position, and when it was read. */
export type DatedPosition = ChainPosition & { atMs: number };

/** The positions that a node has reported, and how far they are believed. */
export class PositionHistory {
  /** Readings that contradicted the node's own history and every other node. */
  ignored = 0;
  /** The newest reading was one of them. */
  isDoubted = false;
  #latest: DatedPosition | null = null;
  #highest: DatedPosition | null = null;
  #silentSinceMs: number | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  readonly #limits = { slot: new ClimbLimit(), blockHeight: new ClimbLimit() };

  /** The newest reading, believed or not, while it is fresh. */
  latest(now: Date): DatedPosition | null {
    const { atMs = 0 } = this.#latest ?? {};
    return now.getTime() - atMs <= FRESH_MS ? this.#latest : null;
  }

  /** The newest reading, believed or not, however old. */
  get last(): DatedPosition | null {
    return this.#latest;
  }

  /**
   * The highest believed reading: the chain has come at least so far. One that nothing has reached for ten minutes gives way
   * to the next reading, because a cluster that is restarted may go on from an earlier slot.
   */
  get highest(): DatedPosition | null {
    return this.#highest;
  }

  get hasBelieved(): boolean {
    return this.#highest !== null;
  }

  /** Records a reading, or null for a request without a response. */
  record(reading: ChainPosition | null, now: Date): void {
    this.#askedAtMs = now.getTime();
    if (reading === null) {
      this.#silentSinceMs ??= now.getTime();
      return;
    }
    this.#silentSinceMs = null;
    this.#latest = { ...reading, atMs: now.getTime() };
  }

  /** Whether a request for the position has ended within this time, with or without a response. */
  wasAskedWithin(durationMs: number, now: Date): boolean {
    return now.getTime() - this.#askedAtMs < durationMs;
  }

  isGone(now: Date): boolean {
    return this.#silentSinceMs !== null && now.getTime() - this.#silentSinceMs >= GONE_AFTER_MS;
  }

  /** Whether the node can have reached this position from the last believed one in the time between. */
  canReach({ slot, blockHeight }: ChainPosition, now: Date): boolean {
    return this.#limits.slot.allows(slot, now) && this.#limits.blockHeight.allows(blockHeight, now);
  }

  believe({ slot, blockHeight }: ChainPosition, now: Date): void {
    this.isDoubted = false;
    const atMs = now.getTime();
    const highest = this.#highest;
    if (highest === null || blockHeight >= highest.blockHeight || atMs - highest.atMs >= GONE_AFTER_MS)
      this.#highest = { slot, blockHeight, atMs };
    this.#limits.slot.take(slot, now);
    this.#limits.blockHeight.take(blockHeight, now);
  }

  ignore(): void {
    this.isDoubted = true;
    this.ignored += 1;
  }
}
