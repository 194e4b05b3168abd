export interface LoadGateOptions {
  runningMax: number;
  /** Loads that wait for a running one to end; further ones are refused at once. */
  waitingMax: number;
  /** A load that has waited this long is refused. */
  waitMaxMs: number;
}

/**
 * The gate has no room for another load. Clients get a 503, as when the database or the chain does not
 * respond.
 */
export class LoadRefused extends Error {
  override readonly name = 'LoadRefused';
}

/**
 * Bounds the concurrent loads of this process from the database or the chain, for all clients together. A
 * load beyond the bounds costs only its refusal. First come, first served.
 */
export class LoadGate {
  readonly options: Readonly<LoadGateOptions>;
  /** In the order of their arrival. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  /** Count of refused loads, for the metrics. */
  refused = 0;

  constructor(options: LoadGateOptions) {
    this.options = options;
  }

  /**
   * Runs `load` when there is room for it. Rejects with LoadRefused before it calls `load`, or with the
   * failure of `load`.
   */
  async run<Value>(load: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.options.runningMax) await this.#turn();
    else this.#running += 1;
    try {
      return await load();
    } finally {
      this.#release();
    }
  }

  /** Waits until a finished load hands its place over. */
  #turn(): Promise<void> {
    const { waitingMax, waitMaxMs } = this.options;
    if (this.#waiting.size >= waitingMax) return Promise.reject(this.#refusal('too many loads are waiting'));
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(this.#refusal(`no load ended within ${waitMaxMs} ms`));
      }, waitMaxMs);
      this.#waiting.add(begin);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #refusal(reason: string): LoadRefused {
    this.refused += 1;
    return new LoadRefused(reason);
  }
}
