/** A pool's account as a node returned it. */
export interface Sight {
  /** The slot of this state. */
  slot: bigint;
  hash: string;
  /**
   * True when the account changed in this slot (a wake-up). False when it may have changed earlier (a sweep).
   */
  isExact: boolean;
}

/**
 * - `quiet`: all transactions that led to this state are proven to be read.
 * - `known`: the transaction of the change is read, but the walk that proves it has not ended yet.
 * - `changed`: there are transactions to read.
 * - `old`: the sight adds nothing.
 */
export type SightVerdict = 'quiet' | 'known' | 'changed' | 'old';

/** A walk of the pool's transactions that has ended. */
export interface EndedWalk {
  beganAtMs: number;
  /** The least slot that its node had reached when it began. */
  atLeastSlot: bigint;
  hasNews: boolean;
  /** Slot of the newest transaction that was read. */
  cursorSlot: bigint | null;
}

/**
 * A walk proves that nothing is missing only when it begins this long after a sight: nodes return a changed
 * account some milliseconds before they list the transaction of the change.
 */
export const SETTLED_MS = 2_000;
/** After this many walks without its transaction a sight is forgotten, until the next sweep. */
const UNFOUND_MAX = 8;

/**
 * Which states of a pool's account are explained by transactions that were read. Sights come in any order,
 * several times, from nodes that lag or lie: they only ask for walks. Only a walk decides which transactions
 * were read.
 */
export class PoolSights {
  #explained: { slot: bigint; hash: string; seenAtMs: number; isSettled: boolean } | null = null;
  #unexplained: (Sight & { seenAtMs: number }) | null = null;
  #unfound = 0;
  #isWanted = false;

  /** True while no walk has found the transaction of a sight. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /**
   * True when the wanted sight is a change, for which users may wait, and not the first sight of the pool.
   */
  get isUrgent(): boolean {
    return this.#isWanted && (this.#explained !== null || this.#unexplained?.isExact === true);
  }

  /** Slot that the node of the next walk must have reached. 0 when every node may be used. */
  get wantedSlot(): bigint {
    return this.#unexplained?.slot ?? 0n;
  }

  see(sight: Sight, nowMs: number): SightVerdict {
    const explained = this.#explained;
    if (explained !== null && sight.slot <= explained.slot) return 'old';
    if (explained?.hash === sight.hash) {
      // Another node's sight in between has to be explained first.
      if (this.#isWanted) return 'old';
      explained.slot = sight.slot;
      this.#unexplained = null;
      return explained.isSettled ? 'quiet' : 'known';
    }
    const before = this.#unexplained;
    if (before !== null && sight.slot < before.slot) return 'old';
    const isSame = before?.hash === sight.hash;
    if (!isSame) this.#unfound = 0;
    // The earliest sight of a state is the most accurate, and an exact one is more accurate than any other.
    if (!isSame || (sight.isExact && !before.isExact))
      this.#unexplained = { ...sight, seenAtMs: isSame ? before.seenAtMs : nowMs };
    this.#isWanted = true;
    return 'changed';
  }

  /** Returns false when the pool has to be walked again soon. */
  endWalk({ beganAtMs, atLeastSlot, hasNews, cursorSlot }: EndedWalk): boolean {
    const sight = this.#unexplained;
    if (sight === null) {
      const explained = this.#explained;
      if (explained !== null && !hasNews && isSettled(explained.seenAtMs, beganAtMs))
        explained.isSettled = true;
      this.#isWanted = false;
      return true;
    }
    if (sight.isExact ? (cursorSlot ?? -1n) >= sight.slot : !hasNews && atLeastSlot >= sight.slot) {
      const settled = !hasNews && isSettled(sight.seenAtMs, beganAtMs);
      // Without the slot of the change nothing proves that the list included it.
      if (sight.isExact || settled) this.#explain(sight, settled);
      this.#isWanted = false;
      return true;
    }
    if (!hasNews) this.miss();
    return !this.#isWanted;
  }

  /** Called when a walk did not find the transaction of the sight, or no node had reached its slot. */
  miss(): void {
    this.#unfound += 1;
    if (this.#unfound < UNFOUND_MAX) return;
    this.#unexplained = null;
    this.#unfound = 0;
    this.#isWanted = false;
  }

  #explain({ slot, hash, seenAtMs }: Sight & { seenAtMs: number }, settled: boolean): void {
    this.#explained = { slot, hash, seenAtMs, isSettled: settled };
    this.#unexplained = null;
    this.#unfound = 0;
  }
}

function isSettled(seenAtMs: number, beganAtMs: number): boolean {
  return beganAtMs - seenAtMs >= SETTLED_MS;
}
