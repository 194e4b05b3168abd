import type { Database } from '../../db/client.ts';
import { type AwaitedIntent, BEFORE_ALL_IDS, listOverdueUntimed } from './list-awaited-intents.ts';
import { NONCE_ACCOUNTS_MAX } from './read-lifetimes.ts';

/** They are sent once a minute, and may stay valid for years. */
const SWEEP_EVERY_MS = 10_000;

/**
 * Expired intents without a height: one page per round, from the first to the last, and then from the first
 * again, at most every 10 s. So a round reads one page, however many there are, and each intent has its turn.
 */
export class UntimedTurns {
  #afterId = BEFORE_ALL_IDS;
  #beginsAtMs = Number.NEGATIVE_INFINITY;

  /** The page of this round; empty when none is due. */
  async next(db: Database, now: Date): Promise<AwaitedIntent[]> {
    const nowMs = now.getTime();
    if (this.#afterId === BEFORE_ALL_IDS) {
      const dueInMs = this.#beginsAtMs - nowMs;
      // A clock that was set back does not delay the next sweep.
      if (dueInMs > 0 && dueInMs <= SWEEP_EVERY_MS) return [];
      this.#beginsAtMs = nowMs + SWEEP_EVERY_MS;
    }
    const page = await listOverdueUntimed(db, now, this.#afterId, NONCE_ACCOUNTS_MAX);
    const last = page.at(-1);
    this.#afterId = last === undefined || page.length < NONCE_ACCOUNTS_MAX ? BEFORE_ALL_IDS : last.intentId;
    return page;
  }
}
