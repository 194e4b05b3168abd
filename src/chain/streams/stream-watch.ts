/** Why a connection was left: it ended by itself, or is not worth listening to. */
export type LeaveReason = 'ended' | 'silent' | 'lagging' | 'lying';

export const leaveReasons: readonly LeaveReason[] = ['ended', 'silent', 'lagging', 'lying'];

/** A node reports slots that it processes, up to a few ahead of the confirmed ones; more than this no honest node is ahead. */
export const SLOT_LEAD_MAX = 64n;
/** A stream that lags behind the believed head by more than this for a whole period is slower than a sweep. */
const SLOT_LAG_MAX = 25n;

export interface StreamWatchOptions {
  /** Slot of the believed chain head; null while it is unknown: then slots prove nothing. */
  head(): bigint | null;
  /** After this time without a slot a connection counts as silent; a node makes 2.5 of them a second. */
  silenceMs: number;
  nowMs?: () => number;
}

/** Judges one connection by the slots it reports. */
export class StreamWatch {
  readonly #head: () => bigint | null;
  readonly #silenceMs: number;
  readonly #nowMs: () => number;
  #heardAtMs: number;
  #newest: bigint | null = null;
  #laggingSinceMs: number | null = null;
  #isLying = false;

  constructor({ head, silenceMs, nowMs = () => performance.now() }: StreamWatchOptions) {
    this.#head = head;
    this.#silenceMs = silenceMs;
    this.#nowMs = nowMs;
    this.#heardAtMs = nowMs();
  }

  /** Takes a slot that the node names. False when no honest node can be there: nothing that comes with it counts. */
  take(slot: bigint): boolean {
    const head = this.#head();
    if (head !== null && slot > head + SLOT_LEAD_MAX) this.#isLying = true;
    if (this.#isLying) return false;
    // Only a slot that is new is a sign of life.
    if (this.#newest === null || slot > this.#newest) {
      this.#newest = slot;
      this.#heardAtMs = this.#nowMs();
    }
    return true;
  }

  /** Asked several times in each period of silence. Null while the connection is worth listening to. */
  verdict(): LeaveReason | null {
    const now = this.#nowMs();
    if (this.#isLying) return 'lying';
    if (now - this.#heardAtMs >= this.#silenceMs) return 'silent';
    const head = this.#head();
    const isBehind = head !== null && this.#newest !== null && this.#newest + SLOT_LAG_MAX < head;
    this.#laggingSinceMs = isBehind ? (this.#laggingSinceMs ?? now) : null;
    return this.#laggingSinceMs !== null && now - this.#laggingSinceMs >= this.#silenceMs ? 'lagging' : null;
  }
}
