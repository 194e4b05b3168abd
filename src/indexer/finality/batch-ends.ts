import type { Database } from '../../db/client.ts';
import type { Landing } from './final-landings.ts';

/** The newest transaction of a pool's batch. It represents the batch, which one node listed at one time. */
export interface BatchEnd extends Landing {
  poolAddress: string;
}

/** Some minutes at a thousand batches a second. Batches above the limit are not compared. */
const HELD_MAX = 100_000;
/** After a start, transactions read in the last minutes may not be final yet. */
const RECENT_MINUTES = 10;

/**
 * Batches that were read and are not final yet, oldest first. They are kept in memory. After a restart only
 * the newest batch of each pool is loaded again, from the cursors.
 */
export class BatchEnds {
  readonly #ends = new Map<string, BatchEnd>();

  get size(): number {
    return this.#ends.size;
  }

  /** Called before the batch is published. A batch that is published again has its place already. */
  add(end: BatchEnd): void {
    const name = nameOf(end);
    if (this.#ends.has(name)) return;
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= HELD_MAX && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(name, end);
  }

  /** The oldest batches. They stay until `remove`. */
  oldest(count: number): BatchEnd[] {
    return [...this.#ends.values().take(count)];
  }

  remove(ends: ReadonlySet<BatchEnd>): void {
    for (const end of ends) this.#ends.delete(nameOf(end));
  }

  /** Puts these batches last, so that they are asked again after all others. */
  postpone(ends: ReadonlySet<BatchEnd>): void {
    this.remove(ends);
    for (const end of ends) this.#ends.set(nameOf(end), end);
  }

  /** Loads the batches that the process before this one read last. */
  async load(db: Database): Promise<void> {
    const rows = await db<BatchEnd[]>`
      select pool_address, last_signature as signature, last_slot as slot from indexer_cursors
      where updated_at > now() - ${RECENT_MINUTES} * interval '1 minute' order by updated_at limit ${HELD_MAX}`;
    for (const row of rows) this.add(row);
  }
}

function nameOf({ poolAddress, signature, slot }: BatchEnd): string {
  return `${poolAddress} ${signature} ${slot}`;
}
