import postgres from 'postgres';
import type { Database } from '../../../db/client.ts';
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

interface Waiting {
  submission: VerifiedSubmission;
  resolve(isStored: boolean): void;
  reject(error: unknown): void;
}

/**
 * Writes submissions to the database (docs/decisions/0042): at once while few statements run; those that wait when a
 * statement ends go together into the next one, with one commit.
 */
export class SubmissionWriter {
  readonly #database: Database;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether it was stored: not when a check fails or its key is in use. Rejects as the statement does; the outcome is unknown then. */
  write(submission: VerifiedSubmission): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ submission, resolve, reject });
    void this.#writeWaiting();
    return promise;
  }

  /** Never rejects. */
  async #writeWaiting(): Promise<void> {
    if (this.#waiting.length === 0 || this.#running === STATEMENTS_MAX) return;
    this.#running += 1;
    await this.#writeTogether(this.#takeTogether());
    this.#running -= 1;
    void this.#writeWaiting();
  }

  /** Those that have waited longest; only the first of an intent or key, so that the next finds the outcome of the first. */
  #takeTogether(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const keys = new Set<string>();
    for (const waiting of this.#waiting) {
      const { submitted, record } = waiting.submission;
      const own = [submitted.id, record?.lockId ?? ''];
      const fits = taken.length < TOGETHER_MAX && !own.some((key) => keys.has(key));
      (fits ? taken : left).push(waiting);
      if (fits) for (const key of own) keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }

  /** Never rejects. */
  async #writeTogether(together: readonly Waiting[]): Promise<void> {
    try {
      const stored = await storeSubmissions(
        this.#database,
        together.map(({ submission }) => submission),
      );
      for (const [at, { resolve }] of together.entries()) resolve(stored[at] === true);
    } catch (error) {
      const isOfRow = error instanceof postgres.PostgresError && ROW_ERRORS.test(error.code);
      // Nothing is stored. Written alone, each shows whether the fault is its own.
      if (isOfRow && together.length > 1) for (const each of together) await this.#writeTogether([each]);
      else for (const { reject } of together) reject(error);
    }
  }
}
