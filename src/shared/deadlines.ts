/** Largest delay in noticing a deadline, as a fraction of the deadline. */
const LATENESS = 1 / 40;

interface Waiting {
  dueAtMs: number;
  expire(): void;
}

/** One callback for each way that waiting for a promise can end. If it throws, that is the outcome. */
export interface Endings<Value, Result> {
  /** The promise resolved in time. */
  inTime(value: Value): Result;
  /** The promise rejected in time. */
  failed(error: unknown): Result;
  /** The deadline came first. */
  expired(): Result;
}

/**
 * Bounds how long callers wait for promises. One timer serves all of them and runs only while there are any.
 */
export class Deadlines {
  readonly #deadlineMs: number;
  readonly #onLateFailure: (error: unknown) => void;
  /** In the order of their deadlines. */
  readonly #waiting = new Set<Waiting>();
  #timer: Timer | undefined;

  /** @param onLateFailure gets rejections after the deadline, which no caller sees */
  constructor(deadlineMs: number, onLateFailure: (error: unknown) => void = () => {}) {
    this.#deadlineMs = deadlineMs;
    this.#onLateFailure = onLateFailure;
  }

  /** The deadline in whole seconds, for messages. */
  get seconds(): number {
    return Math.ceil(this.#deadlineMs / 1000);
  }

  /**
   * Resolves to the result of one ending. It adds a single promise: each further one in a chain costs a
   * request 1 to 2 µs.
   */
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
