import { STATUS_CACHE_SLOTS } from '../../chain/pace/protocol.ts';

/**
 * A node answers from its status cache for some time only. After an outage an intent may have landed before that,
 * and its window may stay open for long.
 */
const CACHE_SHARE = 1 / 3;
const EVERY_MS = 20_000;

/**
 * Which rounds of polls also search the history of nodes: at most one every 20 s, for intents that a status
 * cache may not have.
 */
export class HistoryTurns {
  #lastAtMs = Number.NEGATIVE_INFINITY;

  /** Intents that were submitted before this time are looked up with history in this round; null for none. */
  next(now: Date, slotMs: number): Date | null {
    const nowMs = now.getTime();
    const sinceMs = nowMs - this.#lastAtMs;
    // A clock that was set back does not delay the next turn.
    if (sinceMs >= 0 && sinceMs < EVERY_MS) return null;
    this.#lastAtMs = nowMs;
    return new Date(nowMs - STATUS_CACHE_SLOTS * CACHE_SHARE * slotMs);
  }
}
