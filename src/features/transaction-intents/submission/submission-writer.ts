import postgres from 'postgres';
import type { Database } from '../../../db/client.ts';
import { storeSubmission, type VerifiedSubmission } from './store-submission.ts';
import { storeSubmissions } from './store-submissions.ts';

/**
 * Statements of submissions that run at a time; what comes on top waits and is written together. With two of them a burst is stored 1.08 times
 * as fast, but at 200 a second some wait for a slow commit: the p99 of the answer is 1.7 times as long.
 */
const STATEMENTS_MAX = 4;
/** Of one statement, which has some 6 KiB for each. */
const TOGETHER_MAX = 64;
/** Classes of errors that the rows of a statement cause: integrity, data, and a transaction rolled back for another's sake. */
const ROW_ERRORS = /^(?:22|23|40)/;

interface Waiting {
  submission: VerifiedSubmission;
  resolve(isStored: boolean): void;
  reject(error: unknown): void;
}

/**
 * Writes submissions to the database (docs/decisions/0042). While few statements run, each has its own, immediately. Behind them
 * submissions wait, and what waits when one ends goes together into the next: in a burst one commit, one trigger and one message carry many.
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
    if (this.#running < STATEMENTS_MAX) return this.#counted(storeSubmission(this.#database, submission));
    return new Promise((resolve, reject) => this.#waiting.push({ submission, resolve, reject }));
  }

  /** Counts a statement while it runs; the next one begins when it has ended, however. */
  #counted<Value>(statement: Promise<Value>): Promise<Value> {
    this.#running += 1;
    const end = () => {
      this.#running -= 1;
      this.#writeWaiting();
    };
    statement.then(end, end);
    return statement;
  }

  #writeWaiting(): void {
    const together = this.#takeTogether();
    const [first] = together;
    if (first === undefined) return;
    if (together.length === 1) {
      this.#counted(storeSubmission(this.#database, first.submission)).then(first.resolve, first.reject);
      return;
    }
    void this.#counted(this.#writeTogether(together));
  }

  /** What waited longest; of one intent or key only the first, so that the next finds what became of it. */
  #takeTogether(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const intents = new Set<string>();
    const locks = new Set<string>();
    for (const waiting of this.#waiting) {
      const { submitted, record } = waiting.submission;
      if (taken.length === TOGETHER_MAX || intents.has(submitted.id) || locks.has(record.lockId)) {
        left.push(waiting);
        continue;
      }
      intents.add(submitted.id);
      locks.add(record.lockId);
      taken.push(waiting);
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
      for (const { submission, resolve } of together) resolve(stored.has(submission.submitted.id));
    } catch (error) {
      // Nothing is stored. Alone each shows whether the fault is its own.
      if (error instanceof postgres.PostgresError && ROW_ERRORS.test(error.code))
        await this.#writeOneByOne(together);
      else for (const { reject } of together) reject(error);
    }
  }

  async #writeOneByOne(together: readonly Waiting[]): Promise<void> {
    for (const { submission, resolve, reject } of together)
      await storeSubmission(this.#database, submission).then(resolve, reject);
  }
}
