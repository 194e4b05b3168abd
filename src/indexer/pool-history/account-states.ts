/** The state of a pool's account in one slot, as a node returned it. */
export interface AccountState {
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
 * - `old`: the state adds nothing.
 */
export type StateVerdict = 'quiet' | 'known' | 'changed' | 'old';

/** A state whose transaction is read. It is settled when every transaction that led to it is proven to be read. */
interface ExplainedState {
  /** The newest slot in which it was seen. */
  slot: bigint;
  /** The slot in which it was explained. */
  changeSlot: bigint;
  hash: string;
  observedAtMs: number;
  isSettled: boolean;
}

/** A walk through the pool's transactions that has ended. */
export interface EndedWalk {
  beganAtMs: number;
  /** The node of the walk had reached this slot when the walk began. */
  atLeastSlot: bigint;
  hasNews: boolean;
  /** Slot of the newest transaction that was read. */
  cursorSlot: bigint | null;
}

/**
 * A walk proves that nothing is missing only when it begins this long after the state was observed: nodes
 * return a changed account some milliseconds before they list the transaction of the change.
 */
export const SETTLED_MS = 2_000;
/** After this many walks without its transaction a state is forgotten, until the next sweep. */
const UNFOUND_MAX = 8;

/**
 * Which states of a pool's account are explained by transactions that were read. States come in any order,
 * several times, from nodes that lag or lie. They only ask for walks. Only a walk decides which transactions
 * were read.
 */
export class AccountStates {
  #explained: ExplainedState | null = null;
  #unexplained: (AccountState & { observedAtMs: number }) | null = null;
  #unfound = 0;
  #isWalkWanted = false;

  /** True while a state was observed whose transaction no walk has found. */
  get isWalkWanted(): boolean {
    return this.#isWalkWanted;
  }

  /** True when users may wait for the wanted walk: the account has changed since its first state. */
  get isUrgent(): boolean {
    return this.#isWalkWanted && (this.#explained !== null || this.#unexplained?.isExact === true);
  }

  /** Slot that the node of the next walk must have reached. 0 when every node may be used. */
  get wantedSlot(): bigint {
    // A node that lags behind the change proves nothing about the other transactions of its slot.
    const unsettledSlot = this.#explained?.isSettled === false ? this.#explained.changeSlot : 0n;
    return this.#unexplained?.slot ?? unsettledSlot;
  }

  observe(state: AccountState, nowMs: number): StateVerdict {
    const explained = this.#explained;
    if (explained !== null && state.slot <= explained.slot) return 'old';
    if (explained?.hash === state.hash) {
      // Another state that a node returned in between has to be explained first.
      if (this.#isWalkWanted) return 'old';
      explained.slot = state.slot;
      this.#unexplained = null;
      return explained.isSettled ? 'quiet' : 'known';
    }
    const before = this.#unexplained;
    if (before !== null && state.slot < before.slot) return 'old';
    const isSame = before?.hash === state.hash;
    if (!isSame) this.#unfound = 0;
    // The earliest slot of a state is the most accurate, and an exact one is more accurate than any other.
    if (!isSame || (state.isExact && !before.isExact))
      this.#unexplained = { ...state, observedAtMs: isSame ? before.observedAtMs : nowMs };
    this.#isWalkWanted = true;
    return 'changed';
  }

  /** Returns false when the pool has to be walked again soon. */
  endWalk({ beganAtMs, atLeastSlot, hasNews, cursorSlot }: EndedWalk): boolean {
    const state = this.#unexplained;
    if (state === null) {
      const explained = this.#explained;
      if (explained !== null && !hasNews && atLeastSlot >= explained.changeSlot)
        explained.isSettled ||= isSettled(explained.observedAtMs, beganAtMs);
      this.#isWalkWanted = false;
      return true;
    }
    if (state.isExact ? (cursorSlot ?? -1n) >= state.slot : !hasNews && atLeastSlot >= state.slot) {
      const settled = !hasNews && isSettled(state.observedAtMs, beganAtMs);
      // A sweep does not know the slot of the change, so only a settled walk shows that the list included it.
      if (state.isExact || settled) this.#explain(state, settled);
      this.#isWalkWanted = false;
      return true;
    }
    if (!hasNews) this.recordMiss();
    return !this.#isWalkWanted;
  }

  /** Called when a walk did not find the transaction of the state, or no node had reached its slot. */
  recordMiss(): void {
    this.#unfound += 1;
    if (this.#unfound < UNFOUND_MAX) return;
    this.#unexplained = null;
    this.#unfound = 0;
    this.#isWalkWanted = false;
  }

  #explain({ slot, hash, observedAtMs }: AccountState & { observedAtMs: number }, isSettled: boolean): void {
    this.#explained = { slot, changeSlot: slot, hash, observedAtMs, isSettled };
    this.#unexplained = null;
    this.#unfound = 0;
  }
}

function isSettled(observedAtMs: number, walkBeganAtMs: number): boolean {
  return walkBeganAtMs - observedAtMs >= SETTLED_MS;
}
