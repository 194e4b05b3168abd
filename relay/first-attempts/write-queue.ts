import { GatheringQueue } from '../../src/shared/gathering-queue.ts';
import type { Logger } from '../../src/shared/log.ts';
import { retryUntilAborted } from '../model/retry-until-aborted.ts';
import type { Written } from '../results/endpoint-consequences.ts';
import type { HeldEvent } from './held-event.ts';
import type { NewRow } from './write-deliveries.ts';

/** Most rows of one statement. */
const BATCH_MAX = 256;
/** An attempt's slot is free while its row waits. */
const GATHER_MS = 10;
const FULL_WRITERS_MAX = 3;

export interface WriteQueueOptions {
  /** @param done events whose last rows these are */
  write(rows: readonly NewRow[], done: readonly HeldEvent[]): Promise<Written>;
  onWritten(written: Written, rows: readonly NewRow[]): void;
  /** All rows of an event are committed; `isMarked`: so is its mark. */
  onComplete(event: HeldEvent, isMarked: boolean): void;
  /** Aborts when the process must end: rows not written by then are left to the leases of their events. */
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Writes the rows of deliveries together. Without a database they wait here, and the lanes start nothing while too
 * many wait. The outcome of a row is true once it is committed, and false when it was not inserted.
 */
export class WriteQueue extends GatheringQueue<NewRow, boolean> {
  constructor({ write, onWritten, onComplete, giveUp, log }: WriteQueueOptions) {
    super({
      batchMax: BATCH_MAX,
      writersMax: 1,
      fullWritersMax: FULL_WRITERS_MAX,
      gatherMs: GATHER_MS,
      async write(rows) {
        const counts = countByEvent(rows);
        const done = [...counts].flatMap(([event, count]) => (event.isCompleteWith(count) ? [event] : []));
        const written = await retryUntilAborted(
          () => write(rows, done),
          (err, retryInMs) =>
            log.error({ err, deliveries: rows.length, retryInMs }, 'deliveries.not_written'),
          giveUp,
        );
        if (written === null) {
          for (const event of counts.keys()) event.finish(false);
          return rows.map(() => false);
        }
        for (const { first } of rows)
          first.event.countRow(first.endpointId, written.decidedIds.has(first.deliveryId));
        onWritten(written, rows);
        const marked = new Set(done);
        for (const event of counts.keys()) if (event.isCompleteWith(0)) onComplete(event, marked.has(event));
        return rows.map(({ first }) => written.decidedIds.has(first.deliveryId));
      },
    });
  }
}

function countByEvent(rows: readonly NewRow[]): Map<HeldEvent, number> {
  const counts = new Map<HeldEvent, number>();
  for (const { first } of rows) counts.set(first.event, (counts.get(first.event) ?? 0) + 1);
  return counts;
}
