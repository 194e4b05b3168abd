/**
 * While requests wait that are not urgent, one of this many grants goes to them, because the sweep that
 * proves must continue.
 */
const ORDINARY_SHARE = 8;

/** Capacity of the bucket in seconds at the full rate. */
const BURST_SECONDS = 0.2;
/** The part of the capacity that only urgent requests may use. */
const RESERVED = 2 / 3;
/** Waiting requests are checked again this often, because they may have become urgent. */
const RECONSIDERED_MS = 25;

interface Waiter {
  isUrgent(): boolean;
  grant(): void;
}

export interface RequestBudgetOptions {
  perSecond: number;
  /** Ends every wait. The caller then checks the signal. */
  signal: AbortSignal;
  nowMs?: () => number;
}

/**
 * The requests of the chain indexer to all nodes together: a token bucket. It holds a fifth of a second's
 * tokens, so that no second has more than 6/5 of the rate. Two thirds are reserved for urgent requests:
 * trades are confirmed together, slot by slot, so their requests come together. Few requests wait: at most
 * eight for each pool that is being read.
 */
export class RequestBudget {
  /** Requests granted since the start of the process. */
  granted = 0;
  readonly #configured: number;
  #perSecond = 0;
  #burst = 0;
  #reserved = 0;
  readonly #nowMs: () => number;
  readonly #waiting: Waiter[] = [];
  #tokens: number;
  #filledAtMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sinceOrdinary = 0;
  #isOver = false;

  constructor({ perSecond, signal, nowMs = () => performance.now() }: RequestBudgetOptions) {
    this.#configured = perSecond;
    this.#limit(perSecond);
    this.#nowMs = nowMs;
    this.#tokens = this.#burst;
    this.#filledAtMs = nowMs();
    const end = () => {
      this.#isOver = true;
      clearTimeout(this.#timer);
      for (const { grant } of this.#waiting.splice(0)) grant();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }

  /** Limits the requests to a share of the configured ones, because other processes make the others. */
  shareOut(share: number): void {
    this.#fill();
    this.#limit(this.#configured * share);
  }

  #limit(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, Math.floor(perSecond * BURST_SECONDS));
    this.#reserved = Math.floor(this.#burst * RESERVED);
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the request may be made, urgent ones first. A waiting request may become urgent. */
  take(isUrgent: () => boolean): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ isUrgent, grant: resolve });
      this.#grant();
    });
  }

  /** Takes a token for an urgent request. Resolves with false if `signal` aborts before that. */
  takeUntil(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(false);
      };
      const waiter: Waiter = {
        isUrgent: () => true,
        grant() {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      if (this.#isOver) return resolve(false);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
      this.#grant();
    });
  }

  #grant(): void {
    this.#fill();
    clearTimeout(this.#timer);
    for (let next = this.#next(); next !== null; next = this.#next()) {
      if (this.#tokens < next.needed) {
        const missingMs = Math.ceil(((next.needed - this.#tokens) / this.#perSecond) * 1_000);
        this.#timer = setTimeout(() => this.#grant(), Math.min(missingMs, RECONSIDERED_MS));
        return;
      }
      this.#tokens -= 1;
      this.granted += 1;
      this.#sinceOrdinary = next.isOrdinary ? 0 : this.#sinceOrdinary + 1;
      this.#waiting.splice(next.at, 1)[0]?.grant();
    }
  }

  /** The next request, and the number of tokens that it needs. */
  #next(): { at: number; needed: number; isOrdinary: boolean } | null {
    const urgentAt = this.#waiting.findIndex(({ isUrgent }) => isUrgent());
    const ordinaryAt = this.#waiting.findIndex(({ isUrgent }) => !isUrgent());
    if (ordinaryAt !== -1 && urgentAt !== -1 && this.#sinceOrdinary >= ORDINARY_SHARE - 1)
      return { at: ordinaryAt, needed: 1, isOrdinary: true };
    if (urgentAt !== -1) return { at: urgentAt, needed: 1, isOrdinary: false };
    return ordinaryAt === -1 ? null : { at: ordinaryAt, needed: 1 + this.#reserved, isOrdinary: true };
  }

  #fill(): void {
    const now = this.#nowMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAtMs) / 1_000) * this.#perSecond);
    this.#filledAtMs = now;
  }
}
