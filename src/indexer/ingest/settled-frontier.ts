/** A message of the stream in a batch of one worker. */
interface BatchEntry {
  seq: number;
  /** Applied or rejected, or no fact itself: nothing has to wait for it any more. */
  isSettled: boolean;
}

/**
 * The sequence up to which every message of the stream is settled: what the broker has seen acknowledged, and then what
 * this batch has settled without a gap. A message that another worker has, or that waits for another fact, ends it.
 *
 * @param acknowledged the broker's ack floor, read after the batch was applied or before; it only rises.
 */
export function settledFrontier(acknowledged: number, batch: readonly BatchEntry[]): number {
  const settled = new Set(batch.filter(({ isSettled }) => isSettled).map(({ seq }) => seq));
  let frontier = acknowledged;
  while (settled.has(frontier + 1)) frontier += 1;
  return frontier;
}
