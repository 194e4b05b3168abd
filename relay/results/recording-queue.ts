import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Recorded } from './record-attempts.ts';
import { writeUntilGivenUp } from './write-until-given-up.ts';

const BATCH_MAX = 200;
/** A batch that is not full waits this long for more: nobody waits for a result, and half as many statements write them. */
const GATHER_MS = 8;

interface QueuedResult {
  result: AttemptResult;
  resolve(decided: boolean): void;
}

/**
 * Collects results while a transaction runs and writes them together in the next one. Without a database they wait
 * here; nothing more is claimed while too many do.
 */
export class RecordingQueue {
  readonly #record: (results: AttemptResult[]) => Promise<Recorded>;
  readonly #onRecorded: (recorded: Recorded) => void;
  readonly #log: Logger;
  readonly #giveUp: AbortSignal;
  #queued: QueuedResult[] = [];
  #unwritten = 0;
  #isWriting = false;

  /** @param giveUp aborts when the process must end: what is not recorded by then is sent again after its lease */
  constructor(
    record: (results: AttemptResult[]) => Promise<Recorded>,
    onRecorded: (recorded: Recorded) => void,
    log: Logger,
    giveUp: AbortSignal,
  ) {
    this.#record = record;
    this.#onRecorded = onRecorded;
    this.#log = log;
    this.#giveUp = giveUp;
  }

  /** Results that are not committed. */
  get size(): number {
    return this.#unwritten;
  }

  /** Resolves once the result is committed; false when it arrived too late to decide its delivery. */
  add(result: AttemptResult): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#unwritten += 1;
      this.#queued.push({ result, resolve });
      if (!this.#isWriting) this.#writeAll().catch(reject);
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#queued.length > 0 && !this.#giveUp.aborted) {
        if (this.#queued.length < BATCH_MAX) await wait(GATHER_MS, this.#giveUp);
        const batch = this.#queued.splice(0, BATCH_MAX);
        const recorded = await this.#write(batch.map(({ result }) => result));
        this.#unwritten -= batch.length;
        if (recorded !== null) this.#onRecorded(recorded);
        for (const { result, resolve } of batch) {
          resolve(recorded?.decidedIds.has(result.claim.deliveryId) ?? false);
        }
      }
    } finally {
      this.#isWriting = false;
    }
  }

  #write(results: AttemptResult[]): Promise<Recorded | null> {
    return writeUntilGivenUp(
      () => this.#record(results),
      (err, retryInMs) =>
        this.#log.error({ err, results: results.length, retryInMs }, 'results.not_written'),
      this.#giveUp,
    );
  }
}
