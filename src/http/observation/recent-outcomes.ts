import { type DatabaseFailure, databaseFailure } from '../../db/failure.ts';
import type { Readiness } from '../../shared/readiness.ts';

/** An outcome is forgotten after one to two periods. */
const PERIOD_MS = 10_000;
/** Fewer failures than this are no sign of a broken database. */
const FAILED_MIN = 5;
/** These refusals come before any query. */
const ASKED_NOTHING: ReadonlySet<number> = new Set([401, 429]);

/** A probe cannot see these: it has its own connection and table. */
const UNSEEN_BY_PROBES: ReadonlySet<DatabaseFailure> = new Set([
  'pool_exhausted',
  'lock_timeout',
  'deadlock',
  'statement_timeout',
]);

interface Counts {
  served: number;
  failed: number;
}

/**
 * Outcomes of the requests of the last seconds. Only requests show an exhausted pool, or a lock on the table
 * that all of them need.
 */
export class RecentOutcomes {
  readonly #nowMs: () => number;
  #beganAtMs: number;
  #current: Counts = { served: 0, failed: 0 };
  #previous: Counts = { served: 0, failed: 0 };

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#beganAtMs = nowMs();
  }

  /** A request got a response with this status, for a reason other than the database. */
  answered(status: number): void {
    if (status >= 500 || ASKED_NOTHING.has(status)) return;
    this.#rotate();
    this.#current.served += 1;
  }

  /** A request missed its deadline. */
  expired(): void {
    this.#fail();
  }

  /**
   * A request failed with this error. Failures that a probe sees too are left to the probe, which also sees
   * their end.
   */
  failed(error: unknown): void {
    const failure = databaseFailure(error);
    if (failure !== null && UNSEEN_BY_PROBES.has(failure)) this.#fail();
  }

  #fail(): void {
    this.#rotate();
    this.#current.failed += 1;
  }

  /** Not ready while more requests fail than are served. */
  readonly readiness: Readiness = {
    name: 'requests',
    required: true,
    check: async () =>
      this.#mostFail()
        ? { ready: false, detail: 'most requests of the last seconds could not be served' }
        : { ready: true },
  };

  #mostFail(): boolean {
    this.#rotate();
    const failed = this.#current.failed + this.#previous.failed;
    return failed >= FAILED_MIN && failed > this.#current.served + this.#previous.served;
  }

  #rotate(): void {
    const passedMs = this.#nowMs() - this.#beganAtMs;
    if (passedMs < PERIOD_MS) return;
    this.#previous = passedMs < 2 * PERIOD_MS ? this.#current : { served: 0, failed: 0 };
    this.#current = { served: 0, failed: 0 };
    this.#beganAtMs += Math.floor(passedMs / PERIOD_MS) * PERIOD_MS;
  }
}
