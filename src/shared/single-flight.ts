/**
 * Work by key, which callers share while it runs. Work that is dropped while it runs still reaches its
 * callers, but no new caller joins it and its result is not kept.
 */
export class SingleFlight<Value> {
  readonly #running = new Map<string, Promise<Value>>();

  running(key: string): Promise<Value> | undefined {
    return this.#running.get(key);
  }

  /**
   * Joins the running work for a key, or begins it.
   *
   * @param keep gets the result before the callers do, unless the work was dropped
   */
  run(
    key: string,
    work: () => Promise<Value>,
    keep?: (result: PromiseSettledResult<Value>) => void,
  ): Promise<Value> {
    return this.#running.get(key) ?? this.#begin(key, work, keep);
  }

  #begin(
    key: string,
    work: () => Promise<Value>,
    keep?: (result: PromiseSettledResult<Value>) => void,
  ): Promise<Value> {
    const end = (result: PromiseSettledResult<Value>) => {
      if (this.#running.get(key) !== running) return;
      this.#running.delete(key);
      keep?.(result);
    };
    const running = work().then(
      (value) => {
        end({ status: 'fulfilled', value });
        return value;
      },
      (reason) => {
        end({ status: 'rejected', reason });
        throw reason;
      },
    );
    this.#running.set(key, running);
    return running;
  }

  drop(key: string): void {
    this.#running.delete(key);
  }

  clear(): void {
    this.#running.clear();
  }
}
