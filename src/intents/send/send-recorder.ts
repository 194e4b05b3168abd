import { type ChainHeadSource, freshSlot } from '../../chain/head.ts';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { GatheringQueue } from '../../shared/gathering-queue.ts';
import type { Logger } from '../../shared/log.ts';
import { type AcceptedSend, type IntentSend, recordSends } from './record-sends.ts';

/** Records of one statement. That of a send has a row for each address. */
const BATCH_MAX = 1_024;
/**
 * Sends are recorded together after this time, which is shorter than the interval of resends on public clusters. A
 * statement for each would cost a fifth of a submission.
 */
const RECORD_AFTER_MS = 1_000;

type SendRecord = { answered: IntentSend } | { accepted: AcceptedSend };

export interface SendRecorderDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  chainHead: Pick<ChainHeadSource, 'current'>;
  recordAfterMs?: number;
}

/**
 * Records what became of each send (contract/landing-report#sends), after the sends. A process that is killed
 * loses the records of sends without a response and of the last second: they count less than was sent, never
 * more, and the worker stores the id of a transaction that it sends again.
 */
export class SendRecorder {
  readonly #dependencies: SendRecorderDependencies;
  readonly #queue: GatheringQueue<SendRecord, void>;

  constructor(dependencies: SendRecorderDependencies) {
    const { database, log, recordAfterMs = RECORD_AFTER_MS } = dependencies;
    this.#dependencies = dependencies;
    this.#queue = new GatheringQueue({
      batchMax: BATCH_MAX,
      writersMax: 1,
      gatherMs: recordAfterMs,
      keysOf: (record) => ('answered' in record ? [record.answered.intentId] : []),
      async write(records) {
        const answered = records.flatMap((record) => ('answered' in record ? [record.answered] : []));
        const accepted = records.flatMap((record) => ('accepted' in record ? [record.accepted] : []));
        // A failure fails no send, and the worker repeats what has no record.
        await recordSends(database, { answered, accepted }).catch((err: unknown) =>
          log.error({ err, sends: answered.length }, 'broadcast.sends_not_recorded'),
        );
        return records.map(() => undefined);
      },
    });
  }

  /** The slot for the record of a send; call it when the send has begun. */
  currentSlot(): bigint | null {
    const { chainHead, clock } = this.#dependencies;
    return freshSlot(chainHead, clock);
  }

  /** Resolves when the answers to a send are recorded, or cannot be. Never rejects. */
  record(answered: IntentSend): Promise<void> {
    return this.#queue.add({ answered });
  }

  /** Resolves when the id of an accepted transaction is recorded, or cannot be. Never rejects. */
  recordAccepted(accepted: AcceptedSend): Promise<void> {
    return this.#queue.add({ accepted });
  }

  /** Records what waits without waiting for more. */
  flush(): void {
    this.#queue.flush();
  }
}
