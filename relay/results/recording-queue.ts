import { GatheringQueue } from '../../src/shared/gathering-queue.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Written } from './endpoint-consequences.ts';
import { retryUntilAborted } from '../model/retry-until-aborted.ts';

const BATCH_MAX = 200;
/** Nobody waits for a result, and half as many statements write them. */
const GATHER_MS = 8;

/**
 * Writes results together. Without a database they wait here, and nothing more is claimed while too many wait. The
 * outcome of a result is true once it is committed, and false when it came too late to decide its delivery.
 */
export class RecordingQueue extends GatheringQueue<AttemptResult, boolean> {
  /** @param giveUp aborts when the process must end: deliveries without a result are sent again after their lease */
  constructor(
    record: (results: readonly AttemptResult[]) => Promise<Written>,
    onRecorded: (recorded: Written) => void,
    log: Logger,
    giveUp: AbortSignal,
  ) {
    super({
      batchMax: BATCH_MAX,
      writersMax: 1,
      gatherMs: GATHER_MS,
      async write(results) {
        const recorded = await retryUntilAborted(
          () => record(results),
          (err, retryInMs) => log.error({ err, results: results.length, retryInMs }, 'results.not_written'),
          giveUp,
        );
        if (recorded !== null) onRecorded(recorded);
        return results.map(({ claim }) => recorded?.decidedIds.has(claim.deliveryId) ?? false);
      },
    });
  }
}
