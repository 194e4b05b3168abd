import { ClimbLimit } from './climb-limit.ts';

/** The position of a node at commitment `confirmed`. */
export interface ChainPosition {
  slot: bigint;
  blockHeight: bigint;
}

/** An older reading does not describe the chain now. */
export const FRESH_MS = 10_000;
/**
 * A node that has not responded for this long is gone: nothing waits for it any more. A believed height that
 * no node reaches is forgotten after the same time.
 */
const GONE_AFTER_MS = 600_000;

/** A position and the time of its reading. */
export type DatedPosition = ChainPosition & { atMs: number };

/** The positions that a node has reported, and which of them are believed. */
export class PositionHistory {
  /** Readings that contradicted both the node's own history and every other node. */
  ignored = 0;
  /** True when the newest reading was ignored. */
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
   * The highest believed reading: the chain has come at least this far. When no node reaches it for ten
   * minutes, the next reading replaces it, because a cluster that is restarted may continue from an earlier
   * slot.
   */
  get highest(): DatedPosition | null {
    return this.#highest;
  }

  get hasBelieved(): boolean {
    return this.#highest !== null;
  }

  /** Records a reading, or null for a request that got no response. */
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

  /** Whether the node can have reached this position since its last believed one. */
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
