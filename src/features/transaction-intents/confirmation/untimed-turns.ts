import type { Database } from '../../../db/client.ts';
import { type AwaitedIntent, BEFORE_ALL_IDS, listOverdueUntimed } from './list-awaited-intents.ts';
import { NONCE_ACCOUNTS_MAX } from './read-lifetimes.ts';

/** They are sent once a minute, and may stay good for years. */
const SWEEP_EVERY_MS = 10_000;

/**
 * Intents without a height that are past their time: a page in each round, from the first to the last, and then all of them again, not
 * more often than every 10 s. However many there are, each has its turn, and a round has one page of them.
 */
export class UntimedTurns {
  #afterId = BEFORE_ALL_IDS;
  #beginsAtMs = Number.NEGATIVE_INFINITY;

  /** The page of this round; empty when none is due. */
  async next(db: Database, now: Date): Promise<AwaitedIntent[]> {
    const nowMs = now.getTime();
    if (this.#afterId === BEFORE_ALL_IDS) {
      const dueInMs = this.#beginsAtMs - nowMs;
      // A clock that was set back makes none wait longer.
      if (dueInMs > 0 && dueInMs <= SWEEP_EVERY_MS) return [];
      this.#beginsAtMs = nowMs + SWEEP_EVERY_MS;
    }
    const page = await listOverdueUntimed(db, now, this.#afterId, NONCE_ACCOUNTS_MAX);
    const last = page.at(-1);
    this.#afterId = last === undefined || page.length < NONCE_ACCOUNTS_MAX ? BEFORE_ALL_IDS : last.intentId;
    return page;
  }
}
