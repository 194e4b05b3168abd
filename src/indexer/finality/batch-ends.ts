import type { Database } from '../../db/client.ts';
import type { Landing } from './final-landings.ts';

/** The newest transaction of a batch of a pool. It represents the batch, which one node listed at one time. */
export interface BatchEnd extends Landing {
  poolAddress: string;
}

/** Some minutes of a thousand batches a second; what is beyond is not compared. */
const HELD_MAX = 100_000;
/** After a start what was read in the last minutes may not be final yet. */
const RECENT_MINUTES = 10;

/** What was read and is not final yet, oldest first. In memory: what is lost with it is read from the cursors again, but for batches in between. */
export class BatchEnds {
  #ends: BatchEnd[] = [];

  get size(): number {
    return this.#ends.length;
  }

  add(end: BatchEnd): void {
    if (this.#ends.length >= HELD_MAX) this.#ends.shift();
    this.#ends.push(end);
  }

  /** The oldest ones; they stay until `remove`. */
  oldest(count: number): BatchEnd[] {
    return this.#ends.slice(0, count);
  }

  remove(ends: ReadonlySet<BatchEnd>): void {
    this.#ends = this.#ends.filter((end) => !ends.has(end));
  }

  /** Puts these after all others: they are asked again when the others were. */
  postpone(ends: ReadonlySet<BatchEnd>): void {
    this.remove(ends);
    this.#ends.push(...ends);
  }

  /** Takes over what an indexer before has read lately. */
  async load(db: Database): Promise<void> {
    const rows = await db<BatchEnd[]>`
      select pool_address, last_signature as signature, last_slot as slot from indexer_cursors
      where updated_at > now() - ${RECENT_MINUTES} * interval '1 minute' order by updated_at limit ${HELD_MAX}`;
    this.#ends.push(...rows);
  }
}
