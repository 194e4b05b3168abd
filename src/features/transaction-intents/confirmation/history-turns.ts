/**
 * A node answers from its status cache for about 150 slots, a minute on mainnet. After an outage an intent may
 * have landed before that, and its window may stay open for long.
 */
const OLDER_THAN_MS = 20_000;
const EVERY_MS = 20_000;

/** Which rounds of polls also search the history of nodes: at most one every 20 s, for intents older than that. */
export class HistoryTurns {
  #lastAtMs = Number.NEGATIVE_INFINITY;

  /** Intents that were submitted before this time are looked up with history in this round; null for none. */
  next(now: Date): Date | null {
    const nowMs = now.getTime();
    const sinceMs = nowMs - this.#lastAtMs;
    // A clock that was set back does not delay the next turn.
    if (sinceMs >= 0 && sinceMs < EVERY_MS) return null;
    this.#lastAtMs = nowMs;
    return new Date(nowMs - OLDER_THAN_MS);
  }
}
