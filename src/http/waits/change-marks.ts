import { BoundedMap } from '../../shared/bounded-map.ts';

const RECORDS_MAX = 50_000;

/**
 * Tells the times before and after a hint apart, per record. Caches that are left to age keep what waiting requests read
 * under the mark of its record: none of them is answered with what was read before the hint, and all share one load.
 */
export class ChangeMarks {
  // Beyond this many the mark of a record falls back to 0, whose entries are older than any cache keeps them by then.
  readonly #marks = new BoundedMap<string, number>(RECORDS_MAX);
  #last = 0;

  /** A hint named this record. */
  note(recordId: string): void {
    this.#last += 1;
    this.#marks.set(recordId, this.#last);
  }

  /** Another number after each hint; 0 for a record that none has named. */
  of(recordId: string): number {
    return this.#marks.get(recordId) ?? 0;
  }
}
