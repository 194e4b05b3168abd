import type { Logger } from '../shared/log.ts';
import { type DatabaseFailure, databaseFailure, isDatabaseAway } from './failure.ts';

/** Failures that only statements meet: the next probe does not see them although they last. */
const LASTING: ReadonlySet<DatabaseFailure> = new Set(['disk_full', 'out_of_resources', 'input_output']);
/** The reason says everything, and a stack nothing. */
const PLAIN: ReadonlySet<DatabaseFailure> = new Set([
  'password_refused',
  'database_missing',
  'not_admitted',
  'clear_text_refused',
  'tls_missing',
  'certificate_untrusted',
  'certificate_name',
  'certificate_expired',
]);
/** A server that refused a write counts as unusable for as long; with it goes the next try of a client. */
const LASTING_MS = 10_000;
const LOG_EVERY_MS = 60_000;

/** What the statements of one pool have met. */
export class DatabaseHealth {
  readonly #log: Logger | undefined;
  #lasting: { failure: DatabaseFailure; atMs: number } | null = null;
  readonly #loggedAtMs = new Map<DatabaseFailure, number>();

  constructor(log?: Logger) {
    this.#log = log;
  }

  /** Called with every error that a query ended with. */
  note(error: unknown): void {
    const failure = databaseFailure(error);
    if (failure === null) return;
    const nowMs = performance.now();
    if (LASTING.has(failure)) this.#lasting = { failure, atMs: nowMs };
    if (!isDatabaseAway(error)) return;
    if (nowMs - (this.#loggedAtMs.get(failure) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAtMs.set(failure, nowMs);
    this.#log?.error({ reason: failure, ...(PLAIN.has(failure) ? {} : { err: error }) }, 'database.unusable');
  }

  /** What statements met lately although the server responds; null when nothing. */
  recentFailure(): DatabaseFailure | null {
    if (this.#lasting === null || performance.now() - this.#lasting.atMs > LASTING_MS) return null;
    return this.#lasting.failure;
  }
}
