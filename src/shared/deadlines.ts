/** Largest delay in noticing a deadline, as a fraction of the deadline. */
const LATENESS = 1 / 40;

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
  /** The ends of a list in the order of deadlines: a wait leaves it without a search. */
  #first: Waiting | undefined;
  #last: Waiting | undefined;
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
    return new Promise<Result>((resolve, reject) => {
      const waiting = new Wait(performance.now() + this.#deadlineMs, endings, resolve, reject);
      this.#add(waiting);
      awaited.then(
        (value) => {
          if (this.#remove(waiting)) waiting.end(() => endings.inTime(value));
        },
        (error: unknown) => {
          if (this.#remove(waiting)) waiting.end(() => endings.failed(error));
          else this.#onLateFailure(error);
        },
      );
    });
  }

  #add(waiting: Waiting): void {
    waiting.previous = this.#last;
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    this.#timer ??= setInterval(() => this.#sweep(), this.#deadlineMs * LATENESS);
  }

  /** False when it has ended before. */
  #remove(waiting: Waiting): boolean {
    if (waiting.hasEnded) return false;
    waiting.hasEnded = true;
    const { previous, next } = waiting;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    // A promise that never settles keeps its wait, and must keep no others.
    waiting.previous = undefined;
    waiting.next = undefined;
    return true;
  }

  #sweep(): void {
    const nowMs = performance.now();
    while (this.#first !== undefined && this.#first.dueAtMs <= nowMs) {
      const waiting = this.#first;
      this.#remove(waiting);
      waiting.expire();
    }
    if (this.#first !== undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A wait in the list. */
interface Waiting {
  readonly dueAtMs: number;
  previous: Waiting | undefined;
  next: Waiting | undefined;
  hasEnded: boolean;
  expire(): void;
}

class Wait<Result> implements Waiting {
  readonly dueAtMs: number;
  previous: Waiting | undefined;
  next: Waiting | undefined;
  hasEnded = false;
  readonly #endings: Pick<Endings<never, Result>, 'expired'>;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    dueAtMs: number,
    endings: Pick<Endings<never, Result>, 'expired'>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ) {
    this.dueAtMs = dueAtMs;
    this.#endings = endings;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  end(ending: () => Result): void {
    try {
      this.#resolve(ending());
    } catch (error) {
      this.#reject(error);
    }
  }

  expire(): void {
    this.end(() => this.#endings.expired());
  }
}
