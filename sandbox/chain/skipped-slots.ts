import { heightAtSlot } from './commitment.ts';

/** Neighbouring slots without a block. */
export interface SlotRange {
  readonly first: bigint;
  readonly last: bigint;
}

interface CountedRange extends SlotRange {
  /** Skipped slots up to and including `last`. */
  readonly total: bigint;
}

/** The slots whose blocks a fork has dropped. Every other slot has a block. */
export class SkippedSlots {
  /** They ascend, and have blocks between them. */
  readonly #ranges: CountedRange[] = [];

  constructor(ranges: readonly SlotRange[] = []) {
    for (const { first, last } of ranges) this.add(first, last);
  }

  get ranges(): readonly SlotRange[] {
    return this.#ranges.map(({ first, last }) => ({ first, last }));
  }

  get total(): bigint {
    return this.#ranges.at(-1)?.total ?? 0n;
  }

  /** Adds slots up to the newest one. Ranges that begin there become part of it. */
  add(first: bigint, last: bigint): void {
    let from = first;
    for (let newest = this.#ranges.at(-1); newest !== undefined && newest.last >= from - 1n; ) {
      if (newest.first < from) from = newest.first;
      this.#ranges.pop();
      newest = this.#ranges.at(-1);
    }
    this.#ranges.push({ first: from, last, total: this.total + last - from + 1n });
  }

  has(slot: bigint): boolean {
    const range = this.#reachedBy(slot);
    return range !== undefined && slot <= range.last;
  }

  /** The newest slot with a block that is not after `slot`. */
  newestBlockAt(slot: bigint): bigint {
    const range = this.#reachedBy(slot);
    return range !== undefined && slot <= range.last ? range.first - 1n : slot;
  }

  /** The slot of the block before that of `slot`. */
  parentOf(slot: bigint): bigint {
    return this.newestBlockAt(slot - 1n);
  }

  /** Height of the newest block that is not after `slot`. */
  heightAt(slot: bigint): bigint {
    const range = this.#reachedBy(slot);
    if (range === undefined) return heightAtSlot(slot);
    const after = slot < range.last ? range.last - slot : 0n;
    return heightAtSlot(slot) - range.total + after;
  }

  /** The last range that begins at or before a slot. */
  #reachedBy(slot: bigint): CountedRange | undefined {
    return this.#ranges.findLast(({ first }) => first <= slot);
  }
}
