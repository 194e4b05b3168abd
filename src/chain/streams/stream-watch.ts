/** Why a connection was left: it ended by itself, or is not worth listening to. */
export type LeaveReason = 'ended' | 'silent' | 'lagging' | 'lying';

export const leaveReasons: readonly LeaveReason[] = ['ended', 'silent', 'lagging', 'lying'];

/** Nodes report slots that they process, a few ahead of confirmed ones. No honest node exceeds this lead. */
export const SLOT_LEAD_MAX = 64n;
/**
 * A stream that lags behind the believed head by more than this for a whole period is slower than a sweep.
 */
const SLOT_LAG_MAX = 25n;

export interface StreamWatchOptions {
  /** Slot of the believed chain head. Null while it is unknown: slots prove nothing then. */
  head(): bigint | null;
  /** A connection without a slot for this long counts as silent. A node reports 2.5 slots a second. */
  silenceMs: number;
  nowMs?: () => number;
}

/** Judges one connection by the slots that it reports. */
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

  /**
   * Records a slot that the node reports. Returns false when no honest node can have reached it: the message
   * does not count then.
   */
  take(slot: bigint): boolean {
    const head = this.#head();
    if (head !== null && slot > head + SLOT_LEAD_MAX) this.#isLying = true;
    if (this.#isLying) return false;
    // Only a new slot shows that the connection is alive.
    if (this.#newest === null || slot > this.#newest) {
      this.#newest = slot;
      this.#heardAtMs = this.#nowMs();
    }
    return true;
  }

  /** Called several times in each period of silence. Null while the connection is worth listening to. */
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
