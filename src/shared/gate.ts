export interface GateOptions {
  /** Places, the bound of concurrent work. */
  runningMax: number;
  /** Work that waits for a place; further work is refused at once. */
  waitingMax?: number;
  /** Work that has waited this long is refused. */
  waitMaxMs?: number;
}

/** The most places that work under one name may have at a time. */
export interface GateShare {
  name: string;
  max: number;
}

/** The gate had no room for this work and did not begin it. */
export class GateRefused extends Error {
  override readonly name = 'GateRefused';
}

interface Waiting {
  shares: readonly GateShare[];
  begin(): void;
}

const NO_SHARES: readonly GateShare[] = [];

/**
 * Bounds concurrent work and the work that waits for it. A refusal costs nothing else. First come, first
 * served, except that work whose share is used up lets others pass.
 */
export class Gate {
  readonly options: Readonly<Required<GateOptions>>;
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Taken places by the name of their share. */
  readonly #taken = new Map<string, number>();
  #running = 0;
  /** Count of refused work, for the metrics. */
  refused = 0;

  constructor({ runningMax, waitingMax = Infinity, waitMaxMs = Infinity }: GateOptions) {
    this.options = { runningMax, waitingMax, waitMaxMs };
  }

  /**
   * Runs `work` when there is room for it. Rejects with GateRefused before it calls `work`, or with the
   * failure of `work`.
   */
  async run<Value>(work: () => Promise<Value>, shares = NO_SHARES): Promise<Value> {
    if (!this.tryTake(shares)) await this.#wait(shares);
    try {
      return await work();
    } finally {
      this.release(shares);
    }
  }

  /** Takes a place without waiting; false when none is free. */
  tryTake(shares = NO_SHARES): boolean {
    if (!this.#hasRoom(shares)) return false;
    this.#count(shares, 1);
    return true;
  }

  /** Takes a place as soon as there is one. Rejects with GateRefused. */
  take(shares = NO_SHARES): Promise<void> {
    return this.tryTake(shares) ? Promise.resolve() : this.#wait(shares);
  }

  /** Frees a place; the first waiting work with room in its shares gets it. */
  release(shares = NO_SHARES): void {
    this.#count(shares, -1);
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.shares)) continue;
      this.#waiting.delete(waiting);
      this.#count(waiting.shares, 1);
      waiting.begin();
      return;
    }
  }

  #wait(shares: readonly GateShare[]): Promise<void> {
    const { waitingMax, waitMaxMs } = this.options;
    if (this.#waiting.size >= waitingMax)
      return Promise.reject(this.#refusal(`${waitingMax} are waiting already`));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { shares, begin: resolve };
    this.#waiting.add(waiting);
    if (waitMaxMs === Infinity) return promise;
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      reject(this.#refusal(`no place became free within ${waitMaxMs} ms`));
    }, waitMaxMs);
    waiting.begin = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  #hasRoom(shares: readonly GateShare[]): boolean {
    return (
      this.#running < this.options.runningMax &&
      shares.every(({ name, max }) => (this.#taken.get(name) ?? 0) < max)
    );
  }

  #count(shares: readonly GateShare[], places: 1 | -1): void {
    this.#running += places;
    for (const { name } of shares) {
      const taken = (this.#taken.get(name) ?? 0) + places;
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
  }

  #refusal(reason: string): GateRefused {
    this.refused += 1;
    return new GateRefused(reason);
  }
}
