/** Bun's sink of a file descriptor. */
export interface LogSink {
  write(text: string): number | Promise<number>;
  flush(): number | Promise<number>;
}

/** Bound on the lines kept for a paused reader: about 2,000 lines. */
const WAITING_LENGTH_MAX = 1024 * 1024;
/** Characters of one write. */
const CHUNK_LENGTH = 64 * 1024;

/** A line waits this long for others: one write takes 15 to 40 µs, which was 9 % of a submission on a busy machine. */
const WAIT_MS = 20;

/**
 * Writes lines together, and never waits for the reader: when it stops, lines are kept in memory up to a limit; beyond
 * it they are dropped and counted. A log must not stop the process that writes it.
 */
export class LogWriter {
  readonly #sink: LogSink;
  readonly #waitingLengthMax: number;
  readonly #waiting: string[] = [];
  readonly #idle: (() => void)[] = [];
  #waitingLength = 0;
  /** A write waits for the reader. */
  #isBusy = false;
  /** Set while lines wait for others. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dropped = 0;
  #reportedDropped = 0;
  /** Called with the number of lost lines when the reader has resumed. */
  onLoss: ((lines: number) => void) | undefined;

  constructor(sink: LogSink, waitingLengthMax = WAITING_LENGTH_MAX) {
    this.#sink = sink;
    this.#waitingLengthMax = waitingLengthMax;
  }

  /** Lines lost since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#isBusy && this.#waitingLength + line.length > this.#waitingLengthMax) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#isBusy) return;
    if (this.#waitingLength >= CHUNK_LENGTH) this.writeWaiting();
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.writeWaiting(), WAIT_MS);
      this.#timer.unref();
    }
  }

  /** Writes the lines that wait for others: after a line that must not wait, and before a process ends. */
  writeWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && !this.#isBusy) this.#sendChunk();
  }

  /** Resolves when everything is written, or after `withinMs`, if the reader has stopped. */
  async flush(withinMs: number): Promise<void> {
    this.writeWaiting();
    if (!this.#isBusy) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    this.#idle.push(resolve);
    await promise;
    clearTimeout(timer);
  }

  #send(text: string, lines: number): void {
    let pending: Promise<number>[];
    try {
      const results = [this.#sink.write(text), this.#sink.flush()];
      pending = results.filter((result) => result instanceof Promise);
    } catch {
      this.#dropped += lines;
      return;
    }
    if (pending.length === 0) return;
    this.#isBusy = true;
    void Promise.all(pending).then(
      () => this.#goOn(true),
      () => {
        this.#dropped += lines;
        this.#goOn(false);
      },
    );
  }

  /** @param isTaken false when the reader is gone or the disk full: then only the count can show the loss */
  #goOn(isTaken: boolean): void {
    this.#isBusy = false;
    this.writeWaiting();
    if (this.#isBusy) return;
    if (isTaken && this.#dropped > this.#reportedDropped) {
      const lines = this.#dropped - this.#reportedDropped;
      this.#reportedDropped = this.#dropped;
      this.onLoss?.(lines);
      this.writeWaiting();
    }
    if (!this.#isBusy) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #sendChunk(): void {
    let length = 0;
    let lines = 0;
    while (lines < this.#waiting.length && length < CHUNK_LENGTH) {
      length += this.#waiting[lines]?.length ?? 0;
      lines += 1;
    }
    this.#waitingLength -= length;
    this.#send(this.#waiting.splice(0, lines).join(''), lines);
  }
}
