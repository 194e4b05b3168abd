import type { Logger } from '../shared/log.ts';
import { type DatabaseFailure, databaseFailure, isDatabaseAway } from './failure.ts';

/** Lasting failures that only statements meet and a probe does not. */
const LASTING: ReadonlySet<DatabaseFailure> = new Set(['disk_full', 'out_of_resources', 'input_output']);
/** The reason is complete; a stack adds nothing. */
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
/** A server that refused a write counts as unusable for this long; then a client may try again. */
const LASTING_MS = 10_000;
const LOG_EVERY_MS = 60_000;

/** The failures that statements of one pool met. */
export class DatabaseHealth {
  readonly #log: Logger | undefined;
  #lasting: { failure: DatabaseFailure; atMs: number } | null = null;
  readonly #loggedAtMs = new Map<DatabaseFailure, number>();

  constructor(log?: Logger) {
    this.#log = log;
  }

  /** Receives every error that ends a query. */
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

  /** The recent failure of statements while the server responds; null if there is none. */
  recentFailure(): DatabaseFailure | null {
    if (this.#lasting === null || performance.now() - this.#lasting.atMs > LASTING_MS) return null;
    return this.#lasting.failure;
  }
}
