import type { Logger } from '../../src/shared/log.ts';
import { writeUntilGivenUp } from '../results/write-until-given-up.ts';
import type { HeldEvent } from './held-event.ts';
import type { NewRow, WrittenRows } from './write-deliveries.ts';

/** Rows of one statement. */
const BATCH_MAX = 256;
/** A batch that is not full waits this long for more: an attempt's slot is free meanwhile. */
const GATHER_MS = 10;
/** Concurrent statements, the further ones for full batches only. */
const WRITERS = 3;

interface QueuedRow {
  row: NewRow;
  resolve(inserted: boolean): void;
}

export interface WriteQueueOptions {
  write(rows: readonly NewRow[], doneEventIds: readonly string[]): Promise<WrittenRows>;
  onWritten(written: WrittenRows, rows: readonly NewRow[]): void;
  /** All rows of an event are committed; it is marked too if `isMarked`. */
  onComplete(event: HeldEvent, isMarked: boolean): void;
  /** Aborts when the process must end: what is not written by then is left to the leases of its events. */
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Gathers the rows of deliveries and writes them in batches. Without a database they wait here; the lanes start nothing
 * while too many do.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #queued: QueuedRow[] = [];
  #writing = 0;
  #unwritten = 0;
  #isGathering = false;
  #idle: (() => void)[] = [];

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Rows that are not committed. */
  get size(): number {
    return this.#unwritten;
  }

  /** Resolves once the row is committed; false when it was not inserted. */
  add(row: NewRow): Promise<boolean> {
    return new Promise((resolve) => {
      this.#unwritten += 1;
      this.#queued.push({ row, resolve });
      this.#next();
    });
  }

  /** Resolves when nothing is left to write. */
  async drained(): Promise<void> {
    while (this.#unwritten > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    if (this.#queued.length >= BATCH_MAX && this.#writing < WRITERS) {
      void this.#writeBatch();
      return;
    }
    if (this.#isGathering || this.#writing > 0 || this.#queued.length === 0) return;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      if (this.#writing === 0 && this.#queued.length > 0) void this.#writeBatch();
    }, GATHER_MS);
  }

  /** Never rejects. */
  async #writeBatch(): Promise<void> {
    const batch = this.#queued.splice(0, BATCH_MAX);
    this.#writing += 1;
    const rows = batch.map(({ row }) => row);
    const counts = countByEvent(rows);
    const done = [...counts].filter(([event, count]) => event.isCompleteWith(count)).map(([event]) => event);
    const written = await this.#write(rows, done);
    this.#writing -= 1;
    this.#unwritten -= batch.length;
    if (written !== null) {
      for (const { first } of rows) first.event.countRow();
      this.#options.onWritten(written, rows);
    }
    for (const { row, resolve } of batch) resolve(written?.insertedIds.has(row.first.deliveryId) ?? false);
    const isMarked = new Set(done);
    for (const event of counts.keys()) {
      if (written === null) event.finish(false);
      else if (event.isCompleteWith(0)) this.#options.onComplete(event, isMarked.has(event));
    }
    this.#next();
    if (this.#unwritten > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #write(rows: readonly NewRow[], done: readonly HeldEvent[]): Promise<WrittenRows | null> {
    const { write, giveUp, log } = this.#options;
    const doneIds = done.map(({ leased }) => leased.id);
    return writeUntilGivenUp(
      () => write(rows, doneIds),
      (err, retryInMs) => log.error({ err, deliveries: rows.length, retryInMs }, 'deliveries.not_written'),
      giveUp,
    );
  }
}

function countByEvent(rows: readonly NewRow[]): Map<HeldEvent, number> {
  const counts = new Map<HeldEvent, number>();
  for (const { first } of rows) counts.set(first.event, (counts.get(first.event) ?? 0) + 1);
  return counts;
}
