import postgres from 'postgres';
import type { Database } from '../../db/client.ts';
import { GatheringQueue } from '../../shared/gathering-queue.ts';
import { storeSubmissions, type VerifiedSubmission } from './store-submissions.ts';

/**
 * Statements that run at the same time. With two of them a burst is stored 1.08 times as fast, but at 200 a
 * second some wait for a slow commit: the p99 of the response is 1.7 times as long.
 */
const STATEMENTS_MAX = 4;
/** Submissions in one statement, at about 6 KiB each. */
const TOGETHER_MAX = 64;
/**
 * Classes of errors that one row may cause: data, integrity, and a rollback because of another transaction.
 */
const ROW_ERRORS = /^(?:22|23|40)/;

/**
 * Writes submissions to the database (docs/decisions/0042): at once while few statements run. When a
 * statement ends, the waiting submissions go together into the next one, with one commit.
 */
export class SubmissionWriter {
  readonly #queue: GatheringQueue<VerifiedSubmission, boolean>;

  constructor(database: Database) {
    this.#queue = new GatheringQueue({
      batchMax: TOGETHER_MAX,
      writersMax: STATEMENTS_MAX,
      // One submission per intent and per key, so that the next one finds the outcome of the first.
      keysOf: ({ submitted, record }) => (record === null ? [submitted.id] : [submitted.id, record.lockId]),
      // Nothing is stored then. Each is written alone, so only a faulty one fails.
      isFaultOfItem: (error) => error instanceof postgres.PostgresError && ROW_ERRORS.test(error.code),
      write: (submissions) => storeSubmissions(database, submissions),
    });
  }

  /**
   * True when it was stored; false when a check fails or its key is in use. Rejects when the statement fails;
   * the outcome is unknown then.
   */
  write(submission: VerifiedSubmission): Promise<boolean> {
    return this.#queue.add(submission);
  }
}
