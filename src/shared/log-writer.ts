/** Bun's sink of a file descriptor. */
export interface LogSink {
  write(text: string): number | Promise<number>;
  flush(): number | Promise<number>;
}

/** Bound on the lines kept for a paused reader: about 2,000 lines. */
const WAITING_LENGTH_MAX = 1024 * 1024;
/** Bytes of one write when the reader has resumed. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes lines immediately while the reader keeps up, and never waits for it: when it stops, lines are kept
 * in memory up to a limit; beyond it they are dropped and counted. A log must not stop the process that
 * writes it.
 */
export class LogWriter {
  readonly #sink: LogSink;
  readonly #waitingLengthMax: number;
  readonly #waiting: string[] = [];
  readonly #idle: (() => void)[] = [];
  #waitingLength = 0;
  #isBusy = false;
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
    if (!this.#isBusy) this.#send(line, 1);
    else if (this.#waitingLength + line.length > this.#waitingLengthMax) this.#dropped += 1;
    else {
      this.#waiting.push(line);
      this.#waitingLength += line.length;
    }
  }

  /** Resolves when everything is written, or after `withinMs`, if the reader has stopped. */
  async flush(withinMs: number): Promise<void> {
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
    while (this.#waiting.length > 0 && !this.#isBusy) this.#sendChunk();
    if (this.#isBusy) return;
    if (isTaken && this.#dropped > this.#reportedDropped) {
      const lines = this.#dropped - this.#reportedDropped;
      this.#reportedDropped = this.#dropped;
      this.onLoss?.(lines);
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
