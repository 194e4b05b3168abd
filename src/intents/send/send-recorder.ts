import { type ChainHeadSource, freshSlot } from '../../chain/head.ts';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { GatheringQueue } from '../../shared/gathering-queue.ts';
import type { Logger } from '../../shared/log.ts';
import { type IntentSend, recordSends } from './record-sends.ts';

/** Intents of one statement. Each has a row per address. */
const BATCH_MAX = 1_024;
/** Sends are recorded together after this time: a row in a statement of its own would cost seven times as much. */
const RECORD_AFTER_MS = 250;

export interface SendRecorderDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  chainHead: Pick<ChainHeadSource, 'current'>;
}

/**
 * Records how each address answered each send (contract/landing-report#sends), after the sends. A process that is
 * killed loses the records of sends without a response and of the last quarter of a second: they count less
 * than was sent, never more.
 */
export class SendRecorder {
  readonly #dependencies: SendRecorderDependencies;
  readonly #queue: GatheringQueue<IntentSend, void>;

  constructor(dependencies: SendRecorderDependencies) {
    const { database, log } = dependencies;
    this.#dependencies = dependencies;
    this.#queue = new GatheringQueue({
      batchMax: BATCH_MAX,
      writersMax: 1,
      gatherMs: RECORD_AFTER_MS,
      keysOf: ({ intentId }) => [intentId],
      async write(sends) {
        // A failure concerns nobody but the readers of the record.
        await recordSends(database, sends).catch((err: unknown) =>
          log.error({ err, intents: sends.length }, 'broadcast.sends_not_recorded'),
        );
        return sends.map(() => undefined);
      },
    });
  }

  /** The slot for the record of a send; call it when the send has begun. */
  currentSlot(): bigint | null {
    const { chainHead, clock } = this.#dependencies;
    return freshSlot(chainHead, clock);
  }

  /** Resolves when the send is recorded, or cannot be. Never rejects. */
  record(send: IntentSend): Promise<void> {
    return this.#queue.add(send);
  }
}
