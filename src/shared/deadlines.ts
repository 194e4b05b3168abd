/** How late a deadline may be noticed, as a part of it. */
const LATENESS = 1 / 40;

interface Waiting {
  dueAtMs: number;
  expire(): void;
}

/** What becomes of a promise that is waited for until a deadline. Each may throw: the outcome is that failure then. */
export interface Endings<Value, Result> {
  /** It came in time. */
  inTime(value: Value): Result;
  /** It failed in time. */
  failed(error: unknown): Result;
  /** The deadline came first. */
  expired(): Result;
}

/**
 * Bounds how long something is waited for. One timer serves all that wait and runs only while there are any; what is there without
 * waiting never comes here.
 */
export class Deadlines {
  readonly #deadlineMs: number;
  readonly #onLateFailure: (error: unknown) => void;
  /** In the order in which they are due. */
  readonly #waiting = new Set<Waiting>();
  #timer: Timer | undefined;

  /** @param onLateFailure gets what fails after its deadline, of which nobody else learns. */
  constructor(deadlineMs: number, onLateFailure: (error: unknown) => void = () => {}) {
    this.#deadlineMs = deadlineMs;
    this.#onLateFailure = onLateFailure;
  }

  /** Whole seconds, for what is said about a deadline that has passed. */
  get seconds(): number {
    return Math.ceil(this.#deadlineMs / 1000);
  }

  /** One of the endings, with one promise: each that follows another costs a request 1 to 2 µs. */
  within<Value, Result>(awaited: Promise<Value>, endings: Endings<Value, Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const end = (ending: () => Result) => {
      try {
        resolve(ending());
      } catch (error) {
        reject(error);
      }
    };
    const waiting = {
      dueAtMs: performance.now() + this.#deadlineMs,
      expire: () => end(() => endings.expired()),
    };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#sweep(), this.#deadlineMs * LATENESS);
    awaited.then(
      (value) => {
        if (this.#waiting.delete(waiting)) end(() => endings.inTime(value));
      },
      (error: unknown) => {
        if (this.#waiting.delete(waiting)) end(() => endings.failed(error));
        else this.#onLateFailure(error);
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
