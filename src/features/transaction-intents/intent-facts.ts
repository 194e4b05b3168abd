import type { Database } from '../../db/client.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { findIntent } from './find-intent.ts';
import type { IntentRow } from './record.ts';

/** The newest 5,000 at least. Each takes some 2 KB beside its transaction; one that is not known costs its submission a read (120 µs). */
const ENTRIES_MAX = 10_000;

/**
 * Prepared intents that this process has stored or read, so that a submission costs no read. All but status and version never
 * change, and those the update of the submission checks.
 */
export class IntentFacts {
  readonly #prepared = new BoundedMap<string, IntentRow>(ENTRIES_MAX);

  /** Remembers an intent that was just stored or read. */
  note(intent: IntentRow): void {
    if (intent.status === 'prepared') this.#prepared.set(intent.id, intent);
  }

  /** The intent of the account; a promise where it must be read, null when the account has none of that id. */
  get(
    database: Database,
    { intentId, accountId }: { intentId: string; accountId: string },
  ): IntentRow | null | Promise<IntentRow | null> {
    const known = this.#prepared.get(intentId);
    if (known === undefined) return this.#read(database, intentId, accountId);
    return known.accountId === accountId ? known : null;
  }

  forget(intentId: string): void {
    this.#prepared.delete(intentId);
  }

  async #read(database: Database, intentId: string, accountId: string): Promise<IntentRow | null> {
    const read = await findIntent(database, intentId, accountId);
    if (read !== null) this.note(read);
    return read;
  }
}
