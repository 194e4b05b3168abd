import { ClimbLimit } from './climb-limit.ts';

/** Where a node is, at commitment `confirmed`. */
export interface ChainPosition {
  slot: bigint;
  blockHeight: bigint;
}

/** A reading older than this says nothing about now. */
export const FRESH_MS = 10_000;
/** A node that has not responded for this long counts as gone: nothing waits for it any more. */
const GONE_AFTER_MS = 600_000;

/** The positions that a node has reported, and how far they are believed. */
export class PositionHistory {
  /** Readings that contradicted the node's own history and every other node. */
  ignored = 0;
  /** The newest reading was one of them. */
  isDoubted = false;
  #latest: (ChainPosition & { atMs: number }) | null = null;
  #hasBelieved = false;
  #silentSinceMs: number | null = null;
  readonly #limits = { slot: new ClimbLimit(), blockHeight: new ClimbLimit() };

  /** The newest reading, believed or not, while it is fresh. */
  latest(now: Date): (ChainPosition & { atMs: number }) | null {
    const { atMs = 0 } = this.#latest ?? {};
    return now.getTime() - atMs <= FRESH_MS ? this.#latest : null;
  }

  get hasBelieved(): boolean {
    return this.#hasBelieved;
  }

  /** Records a reading, or null for a request without a response. */
  record(reading: ChainPosition | null, now: Date): void {
    if (reading === null) {
      this.#silentSinceMs ??= now.getTime();
      return;
    }
    this.#silentSinceMs = null;
    this.#latest = { ...reading, atMs: now.getTime() };
  }

  isGone(now: Date): boolean {
    return this.#silentSinceMs !== null && now.getTime() - this.#silentSinceMs >= GONE_AFTER_MS;
  }

  /** Whether the node can have reached this position from the last believed one in the time between. */
  canReach({ slot, blockHeight }: ChainPosition, now: Date): boolean {
    return this.#limits.slot.allows(slot, now) && this.#limits.blockHeight.allows(blockHeight, now);
  }

  believe({ slot, blockHeight }: ChainPosition, now: Date): void {
    this.#hasBelieved = true;
    this.isDoubted = false;
    this.#limits.slot.take(slot, now);
    this.#limits.blockHeight.take(blockHeight, now);
  }

  ignore(): void {
    this.isDoubted = true;
    this.ignored += 1;
  }
}
