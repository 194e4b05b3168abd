import type { Reader } from '../../db/look-ups.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { findIntent } from '../find-intent.ts';
import type { IntentRow } from '../row.ts';

/**
 * Keeps at least the newest 5,000, each about 2 KB and its transaction. The submission of an unknown one
 * costs a read (120 µs).
 */
const ENTRIES_MAX = 10_000;

/**
 * Prepared intents that this process has stored or read, so that a submission needs no read. Only status and
 * version ever change, and the update of the submission checks both.
 */
export class IntentFacts {
  readonly #prepared = new BoundedMap<string, IntentRow>(ENTRIES_MAX);

  /** Remembers an intent that was just stored or read. */
  note(intent: IntentRow): void {
    if (intent.status === 'prepared') this.#prepared.set(intent.id, intent);
  }

  /**
   * The intent of the account; a promise when it must be read, null when the account has no intent with that
   * id.
   */
  get(
    db: Reader,
    { intentId, accountId }: { intentId: string; accountId: string },
  ): IntentRow | null | Promise<IntentRow | null> {
    const known = this.#prepared.get(intentId);
    if (known === undefined) return this.#read(db, intentId, accountId);
    return known.accountId === accountId ? known : null;
  }

  forget(intentId: string): void {
    this.#prepared.delete(intentId);
  }

  async #read(db: Reader, intentId: string, accountId: string): Promise<IntentRow | null> {
    const read = await findIntent(db, intentId, accountId);
    if (read !== null) this.note(read);
    return read;
  }
}
