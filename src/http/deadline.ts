import type { Logger } from '../shared/log.ts';

/** Every request gets its response within this time, long before the server ends a silent connection. */
export const REQUEST_DEADLINE_MS = 20_000;

/** As above, for requests that prefer to wait up to 25 s. Before the 28 s at which Bun may end a silent connection. */
export const WAIT_DEADLINE_MS = 27_000;

/** How late a deadline may be noticed, as a part of it. */
const LATENESS = 1 / 40;

interface Waiting {
  dueAtMs: number;
  expire(): void;
}

/**
 * Bounds how long responses are waited for. One timer serves all of them and runs only while there are any; a response
 * that is there without waiting never comes here.
 */
export class Deadlines {
  readonly #log: Logger;
  readonly #deadlineMs: number;
  /** In the order in which they are due. */
  readonly #waiting = new Set<Waiting>();
  #timer: Timer | undefined;

  constructor(log: Logger, deadlineMs = REQUEST_DEADLINE_MS) {
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  /** Whole seconds, for what is said about a deadline that has passed. */
  get seconds(): number {
    return Math.ceil(this.#deadlineMs / 1000);
  }

  /** Settles as `response` does, or as `expired` does when the deadline comes first; what fails after that is logged. */
  within<Value>(response: Promise<Value>, expired: () => Value): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const expire = () => {
      try {
        resolve(expired());
      } catch (error) {
        reject(error);
      }
    };
    const waiting = { dueAtMs: performance.now() + this.#deadlineMs, expire };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#sweep(), this.#deadlineMs * LATENESS);
    response.then(
      (value) => {
        if (this.#waiting.delete(waiting)) resolve(value);
      },
      (err: unknown) => {
        if (this.#waiting.delete(waiting)) reject(err);
        else this.#log.warn({ err }, 'request.failed_after_deadline');
      },
    );
    return promise;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.dueAtMs > nowMs) break;
      this.#waiting.delete(waiting);
      waiting.expire();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
