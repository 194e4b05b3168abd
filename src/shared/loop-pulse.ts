/**
 * Tells that a loop gets further. What waits for work rests; everything else has to beat again and again. Counted, not
 * timed: while a process is suspended nothing is expected of it.
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

  /** A bounded piece of work is done. */
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

  /** The items of a source, resting until each of them comes. */
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

  /** The loop is over. */
  end(): void {
    running.delete(this);
  }
}

const running = new Set<LoopPulse>();

/** Looks at every loop once per call, at even intervals, and finds those that stand still. */
export class StalledLoops {
  readonly #looksMax: number;
  readonly #seen = new Map<LoopPulse, { beats: number; looks: number }>();

  /** @param looksMax in a row without a beat, after which a loop that does not rest stands still */
  constructor(looksMax: number) {
    this.#looksMax = looksMax;
  }

  /** Names of the loops that have stood still for too long. */
  look(): string[] {
    for (const pulse of this.#seen.keys()) if (!running.has(pulse)) this.#seen.delete(pulse);
    const stalled: string[] = [];
    for (const pulse of running) {
      const before = this.#seen.get(pulse);
      const isStill = before?.beats === pulse.beats && !pulse.isResting;
      const looks = isStill ? before.looks + 1 : 0;
      this.#seen.set(pulse, { beats: pulse.beats, looks });
      if (looks >= this.#looksMax) stalled.push(pulse.name);
    }
    return stalled;
  }
}
