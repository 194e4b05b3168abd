/** Places for those who read the past: at most so many at a time, the others in the order in which they came. */
export class ReadingPlaces {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Reads when there is a place. Rejects as `read` does. */
  async run<Value>(read: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    try {
      return await read();
    } finally {
      this.#handOver();
    }
  }

  #handOver(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
