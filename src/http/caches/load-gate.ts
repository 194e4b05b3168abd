export interface LoadGateOptions {
  /** Loads that run at the same time. */
  runningMax: number;
  /** Loads that wait for one of them to end; further ones are refused at once. */
  waitingMax: number;
  /** A load that has waited so long is refused. */
  waitMaxMs: number;
}

/** There is no room for one more load: a 503, the same as when what is loaded from cannot serve. */
export class LoadRefused extends Error {
  override readonly name = 'LoadRefused';
}

/**
 * Bounds what all clients together can make this process load at once from the database or the chain. A load beyond the
 * bounds costs nothing but its refusal. First come, first served.
 */
export class LoadGate {
  readonly options: Readonly<LoadGateOptions>;
  /** In the order they came. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  /** Loads that were refused, for the metrics. */
  refused = 0;

  constructor(options: LoadGateOptions) {
    this.options = options;
  }

  /** Runs `load` when there is room for it. Rejects with LoadRefused without having called it, or as `load` does. */
  async run<Value>(load: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.options.runningMax) await this.#turn();
    else this.#running += 1;
    try {
      return await load();
    } finally {
      this.#release();
    }
  }

  /** Waits until a load that ends hands over its place. */
  #turn(): Promise<void> {
    const { waitingMax, waitMaxMs } = this.options;
    if (this.#waiting.size >= waitingMax) return Promise.reject(this.#refusal('too many loads wait already'));
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
