import postgres from 'postgres';
import type { Database } from '../../../db/client.ts';
import { GatheringQueue } from '../../../shared/gathering-queue.ts';
import { storeSubmissions, type VerifiedSubmission } from './store-submissions.ts';

/**
 * Statements that run at a time. With two of them a burst is stored 1.08 times as fast, but at 200 a second some wait for a
 * slow commit: the p99 of the answer is 1.7 times as long.
 */
const STATEMENTS_MAX = 4;
/** Submissions in one statement, which takes some 6 KiB for each. */
const TOGETHER_MAX = 64;
/** Classes of errors that one row may cause: data, integrity, and a transaction that was rolled back for another. */
const ROW_ERRORS = /^(?:22|23|40)/;

/**
 * Writes submissions to the database (docs/decisions/0042): at once while few statements run; those that wait when a
 * statement ends go together into the next one, with one commit.
 */
export class SubmissionWriter {
  readonly #queue: GatheringQueue<VerifiedSubmission, boolean>;

  constructor(database: Database) {
    this.#queue = new GatheringQueue({
      batchMax: TOGETHER_MAX,
      writersMax: STATEMENTS_MAX,
      // Only the first of an intent or key, so that the next finds the outcome of the first.
      keysOf: ({ submitted, record }) => (record === null ? [submitted.id] : [submitted.id, record.lockId]),
      // Nothing is stored then: written alone, each shows whether the fault is its own.
      isFaultOfItem: (error) => error instanceof postgres.PostgresError && ROW_ERRORS.test(error.code),
      write: (submissions) => storeSubmissions(database, submissions),
    });
  }

  /** Whether it was stored: not when a check fails or its key is in use. Rejects as the statement does; the outcome is unknown then. */
  write(submission: VerifiedSubmission): Promise<boolean> {
    return this.#queue.add(submission);
  }
}
