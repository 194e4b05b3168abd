import type { PacedSlot } from '../head.ts';
import { mostIn } from '../pace/chain-pace.ts';

/** Why a connection ended: by itself (`ended`), or because its reports are of no use. */
export type LeaveReason = 'ended' | 'silent' | 'lagging' | 'lying';

export const leaveReasons: readonly LeaveReason[] = ['ended', 'silent', 'lagging', 'lying'];

/**
 * Nodes report slots that they process, a few ahead of confirmed ones, and the head may be seconds old. No honest
 * node exceeds the slots of this time.
 */
const LEAD_MAX_MS = 25_000;
/**
 * A stream that lags behind the believed head by the slots of more than this time, for a whole period, is slower
 * than a sweep.
 */
const LAG_MAX_MS = 10_000;

/** The highest slot that an honest node can report beside this head. */
export function highestReported({ slot, slotsPerSecond }: PacedSlot): bigint {
  return slot + mostIn(LEAD_MAX_MS, slotsPerSecond);
}

export interface StreamWatchOptions {
  /** The believed chain head. Null while it is unknown: slots prove nothing then. */
  head(): PacedSlot | null;
  /** A connection without a slot for this long counts as silent. A node reports several slots a second. */
  silenceMs: number;
  nowMs?: () => number;
}

/** Judges one connection by the slots that it reports. */
export class StreamWatch {
  readonly #head: () => PacedSlot | null;
  readonly #silenceMs: number;
  readonly #nowMs: () => number;
  #newSlotAtMs: number;
  #newest: bigint | null = null;
  #laggingSinceMs: number | null = null;
  #isLying = false;

  constructor({ head, silenceMs, nowMs = () => performance.now() }: StreamWatchOptions) {
    this.#head = head;
    this.#silenceMs = silenceMs;
    this.#nowMs = nowMs;
    this.#newSlotAtMs = nowMs();
  }

  /**
   * Records a slot that the node reports. Returns false when no honest node can have reached it: the message
   * does not count then.
   */
  take(slot: bigint): boolean {
    const head = this.#head();
    if (head !== null && slot > highestReported(head)) this.#isLying = true;
    if (this.#isLying) return false;
    // Only a new slot shows that the connection is alive.
    if (this.#newest === null || slot > this.#newest) {
      this.#newest = slot;
      this.#newSlotAtMs = this.#nowMs();
    }
    return true;
  }

  /** Called several times in each period of silence. Null while the connection is of use. */
  verdict(): LeaveReason | null {
    const now = this.#nowMs();
    if (this.#isLying) return 'lying';
    if (now - this.#newSlotAtMs >= this.#silenceMs) return 'silent';
    const head = this.#head();
    const isBehind =
      head !== null &&
      this.#newest !== null &&
      this.#newest + mostIn(LAG_MAX_MS, head.slotsPerSecond) < head.slot;
    this.#laggingSinceMs = isBehind ? (this.#laggingSinceMs ?? now) : null;
    return this.#laggingSinceMs !== null && now - this.#laggingSinceMs >= this.#silenceMs ? 'lagging' : null;
  }
}
