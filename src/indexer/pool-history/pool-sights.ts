/** What a pool's account looked like to a node. */
export interface Sight {
  /** The slot whose state it is. */
  slot: bigint;
  hash: string;
  /** The account changed in this very slot (a wake-up), not only some time before (a sweep). */
  isExact: boolean;
}

/**
 * - `quiet`: it is proven that all that made the account so is read;
 * - `known`: the transaction that changed it is read; the walk that proves it is still to come;
 * - `changed`: there is something to read;
 * - `old`: it says nothing new.
 */
export type SightVerdict = 'quiet' | 'known' | 'changed' | 'old';

/** A walk of the pool's transactions that has ended. */
export interface EndedWalk {
  beganAtMs: number;
  /** The slot that its node had reached at least when it began. */
  atLeastSlot: bigint;
  hasNews: boolean;
  /** Slot of the newest transaction that is read. */
  cursorSlot: bigint | null;
}

/**
 * How long after a sight a walk must begin for it to prove that nothing is missing: nodes serve an account some milliseconds
 * before they list the transaction that changed it.
 */
export const SETTLED_MS = 2_000;
/** Walks without the transaction of a sight after which it is forgotten: the next sweep decides whether there is anything. */
const UNFOUND_MAX = 8;

/**
 * Which state of a pool's account is explained by transactions that were read, and which is not. Sights come in any order, several times,
 * from nodes that lag or lie: they only ask for walks. What was read is decided by the walk alone.
 */
export class PoolSights {
  #explained: { slot: bigint; hash: string; seenAtMs: number; isSettled: boolean } | null = null;
  #unexplained: (Sight & { seenAtMs: number }) | null = null;
  #unfound = 0;
  #isWanted = false;

  /** Something happened that no walk has found yet. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Someone may wait for what happened: it is news, and not only the first sight of a pool. */
  get isUrgent(): boolean {
    return this.#isWanted && (this.#explained !== null || this.#unexplained?.isExact === true);
  }

  /** Slot that the node of the next walk must have reached; 0 when any will do. */
  get wantedSlot(): bigint {
    return this.#unexplained?.slot ?? 0n;
  }

  see(sight: Sight, nowMs: number): SightVerdict {
    const explained = this.#explained;
    if (explained !== null && sight.slot <= explained.slot) return 'old';
    if (explained?.hash === sight.hash) {
      // What another node reported in between is looked for first.
      if (this.#isWanted) return 'old';
      explained.slot = sight.slot;
      this.#unexplained = null;
      return explained.isSettled ? 'quiet' : 'known';
    }
    const before = this.#unexplained;
    if (before !== null && sight.slot < before.slot) return 'old';
    const isSame = before?.hash === sight.hash;
    if (!isSame) this.#unfound = 0;
    // The earliest sight of a state is the sharpest, and an exact one sharper than any other.
    if (!isSame || (sight.isExact && !before.isExact))
      this.#unexplained = { ...sight, seenAtMs: isSame ? before.seenAtMs : nowMs };
    this.#isWanted = true;
    return 'changed';
  }

  /** False when the pool has to be walked again soon. */
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
      // Without the slot of the change nothing shows that the list had it already.
      if (sight.isExact || settled) this.#explain(sight, settled);
      this.#isWanted = false;
      return true;
    }
    if (!hasNews) this.miss();
    return !this.#isWanted;
  }

  /** A walk that did not find what it was for, or found no node that had reached its slot. */
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
