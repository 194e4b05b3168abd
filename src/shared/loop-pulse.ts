/**
 * The heartbeat of a loop. A loop that waits for work rests; any other has to beat again and again. Counted, not timed: a
 * suspended process is not taken for one that hangs.
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

/** Checks every loop once per call, at even intervals, and finds those that are stalled. */
export class StalledLoops {
  readonly #checksMax: number;
  readonly #seen = new Map<LoopPulse, { beats: number; checks: number }>();

  /** @param checksMax in a row without a beat, after which a loop that does not rest counts as stalled */
  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Names of the loops that have been stalled for too long. */
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
