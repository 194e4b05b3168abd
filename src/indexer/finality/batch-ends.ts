import type { Database } from '../../db/client.ts';
import { GatheringQueue } from '../../shared/gathering-queue.ts';
import type { PoolShards } from '../pool-history/pool-shards.ts';
import {
  type BatchEnd,
  deleteUnfinalBatches,
  insertUnfinalBatches,
  loadUnfinalBatches,
  markTakenBack,
  type RecordedBatch,
} from './unfinal-batch-rows.ts';

/** Some minutes at a thousand batches a second. Batches above the limit are not compared. */
const BATCHES_MAX = 100_000;
/** Batches in one statement. */
const STATEMENT_MAX = 256;

/**
 * Batches that were read and are not final yet, oldest first. Each is in the database before it is published, so a
 * worker that takes over compares it too.
 */
export class BatchEnds {
  readonly #db: Database;
  readonly #ends = new Map<string, RecordedBatch>();
  readonly #inserts: GatheringQueue<BatchEnd, BatchEnd>;

  constructor(db: Database) {
    this.#db = db;
    this.#inserts = new GatheringQueue({
      write: async (ends) => {
        await insertUnfinalBatches(db, ends);
        return ends;
      },
      batchMax: STATEMENT_MAX,
      writersMax: 1,
    });
  }

  get size(): number {
    return this.#ends.size;
  }

  /** Resolves when the batch may be published. A batch that is published again is in the list already. */
  async add(end: BatchEnd): Promise<void> {
    const name = nameOf(end);
    if (this.#ends.has(name)) return;
    await this.#inserts.add(end);
    const [oldest] = this.#ends.values();
    if (this.#ends.size >= BATCHES_MAX && oldest !== undefined) await this.remove(new Set([oldest]));
    this.#ends.set(name, { ...end, takenBackAt: null });
  }

  /** The oldest batches. They stay until `remove`. */
  oldest(count: number): RecordedBatch[] {
    return [...this.#ends.values().take(count)];
  }

  async remove(ends: ReadonlySet<BatchEnd>): Promise<void> {
    if (ends.size === 0) return;
    await deleteUnfinalBatches(this.#db, [...ends]);
    for (const end of ends) this.#ends.delete(nameOf(end));
  }

  /** Puts these batches last, so that they are asked again after all others. */
  postpone(ends: ReadonlySet<RecordedBatch>): void {
    for (const end of ends) {
      this.#ends.delete(nameOf(end));
      this.#ends.set(nameOf(end), end);
    }
  }

  /** Records that the batch's trades were removed, and puts it last. */
  async markTakenBack(end: RecordedBatch, at: Date): Promise<void> {
    await markTakenBack(this.#db, end, at);
    this.postpone(new Set([{ ...end, takenBackAt: at }]));
  }

  /** Loads the batches that workers before this one have recorded, and leaves those of other pools to their workers. */
  async load(pools: Pick<PoolShards, 'has'>): Promise<void> {
    for (const batch of await loadUnfinalBatches(this.#db, BATCHES_MAX)) {
      const name = nameOf(batch);
      if (pools.has(batch.poolAddress) && !this.#ends.has(name)) this.#ends.set(name, batch);
    }
    for (const [name, { poolAddress }] of this.#ends) if (!pools.has(poolAddress)) this.#ends.delete(name);
  }
}

function nameOf({ poolAddress, signature, slot }: BatchEnd): string {
  return `${poolAddress} ${signature} ${slot}`;
}
