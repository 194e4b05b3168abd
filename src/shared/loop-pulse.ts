/**
 * The heartbeat of a loop. A loop that waits for work rests; any other has to beat repeatedly. Beats are
 * counted, not timed, so that a suspended process does not count as hanging.
 */
export class LoopPulse {
  readonly name: string;
  #beats = 0;
  #rests = 0;

  constructor(name: string) {
    this.name = name;
    running.add(this);
  }

  get beats(): number {
    return this.#beats;
  }

  get isResting(): boolean {
    return this.#rests > 0;
  }

  /** Reports a finished piece of work. */
  beat(): void {
    this.#beats += 1;
  }

  /** Waits for something that need not happen: a message, a hint, the end of a pause. */
  async rest<Value>(idle: Promise<Value>): Promise<Value> {
    this.#rests += 1;
    try {
      return await idle;
    } finally {
      this.#rests -= 1;
      this.#beats += 1;
    }
  }

  /** Iterates over a source and rests until each item comes. */
  async *restBetween<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item, void> {
    const iterator = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.rest(iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /** Ends the heartbeat with the loop. */
  end(): void {
    running.delete(this);
  }
}

const running = new Set<LoopPulse>();

/** Finds stalled loops. Call `check` at even intervals. */
export class StalledLoops {
  readonly #checksMax: number;
  readonly #seen = new Map<LoopPulse, { beats: number; checks: number }>();

  /** @param checksMax checks in a row without a beat, after which a loop that does not rest is stalled */
  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Returns the names of the stalled loops. */
  check(): string[] {
    for (const pulse of this.#seen.keys()) if (!running.has(pulse)) this.#seen.delete(pulse);
    const stalled: string[] = [];
    for (const pulse of running) {
      const before = this.#seen.get(pulse);
      const isStill = before?.beats === pulse.beats && !pulse.isResting;
      const checks = isStill ? before.checks + 1 : 0;
      this.#seen.set(pulse, { beats: pulse.beats, checks });
      if (checks >= this.#checksMax) stalled.push(pulse.name);
    }
    return stalled;
  }
}
