/** Of so many grants one goes to a request that is not urgent, while any waits: the sweep that proves must not stand still. */
const ORDINARY_SHARE = 4;

export interface RequestBudgetOptions {
  perSecond: number;
  /** Ends every wait: what comes after it checks the signal. */
  signal: AbortSignal;
  nowMs?: () => number;
}

/**
 * The requests that the chain indexer may make of all nodes together: a token bucket. It holds an eighth of a second's
 * tokens, so that no second sees more than 9/8 of the rate. Those who wait are few: each pool being read waits at most eight times.
 */
export class RequestBudget {
  /** Granted since the start of the process. */
  granted = 0;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #nowMs: () => number;
  readonly #urgent: (() => void)[] = [];
  readonly #ordinary: (() => void)[] = [];
  #tokens: number;
  #filledAtMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sinceOrdinary = 0;
  #isOver = false;

  constructor({ perSecond, signal, nowMs = () => performance.now() }: RequestBudgetOptions) {
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, Math.floor(perSecond / 8));
    this.#nowMs = nowMs;
    this.#tokens = this.#burst;
    this.#filledAtMs = nowMs();
    const end = () => {
      this.#isOver = true;
      clearTimeout(this.#timer);
      for (const grant of [...this.#urgent.splice(0), ...this.#ordinary.splice(0)]) grant();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  get waiting(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  /** Resolves when the request may be made; urgent ones first. */
  take(isUrgent: boolean): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#ordinary).push(resolve);
      this.#grant();
    });
  }

  #grant(): void {
    this.#fill();
    while (this.#tokens >= 1) {
      const grant = this.#next();
      if (grant === undefined) return;
      this.#tokens -= 1;
      this.granted += 1;
      grant();
    }
    if (this.waiting === 0 || this.#timer !== undefined) return;
    const missingMs = ((1 - this.#tokens) / this.#perSecond) * 1_000;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#grant();
    }, Math.ceil(missingMs));
  }

  #next(): (() => void) | undefined {
    const isOrdinaryDue = this.#sinceOrdinary >= ORDINARY_SHARE - 1 && this.#ordinary.length > 0;
    if (!isOrdinaryDue && this.#urgent.length > 0) {
      this.#sinceOrdinary += 1;
      return this.#urgent.shift();
    }
    const ordinary = this.#ordinary.shift();
    if (ordinary !== undefined) this.#sinceOrdinary = 0;
    return ordinary;
  }

  #fill(): void {
    const now = this.#nowMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAtMs) / 1_000) * this.#perSecond);
    this.#filledAtMs = now;
  }
}
