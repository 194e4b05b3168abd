/** Work that somebody started and does not wait for yet. Work that rejects ends the process, unless `ended` is awaited. */
export class RunningWork {
  readonly #running = new Set<Promise<unknown>>();

  get size(): number {
    return this.#running.size;
  }

  /** @param onEnd called when it is counted no more */
  add(work: Promise<unknown>, onEnd?: () => void): void {
    const tracked = work.finally(() => {
      this.#running.delete(tracked);
      onEnd?.();
    });
    this.#running.add(tracked);
  }

  /** Resolves when the first of them ends. It must not be empty. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#running);
  }

  /** Resolves when none runs, not even one that others have started meanwhile. Rejects with the first failure. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
