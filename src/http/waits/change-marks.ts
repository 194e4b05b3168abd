import { BoundedMap } from '../../shared/bounded-map.ts';

const RECORDS_MAX = 50_000;

/**
 * Numbers the hints of each record. A cache that only expires by age keeps the reads of waiting requests
 * under the number of their record: none gets a response from before the hint, and all share one load.
 */
export class ChangeMarks {
  // A record that this map forgot gets mark 0 again; by then every cache has dropped its entries of mark 0.
  readonly #marks = new BoundedMap<string, number>(RECORDS_MAX);
  #last = 0;

  /** Records a hint for this record. */
  note(recordId: string): void {
    this.#last += 1;
    this.#marks.set(recordId, this.#last);
  }

  /** A number that changes with each hint; 0 for a record that none has changed. */
  of(recordId: string): number {
    return this.#marks.get(recordId) ?? 0;
  }
}
