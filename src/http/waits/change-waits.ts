import { unpublishedLimits } from '../../shared/contract-limits.ts';

export interface ChangeWaitOptions {
  /** Requests that may wait in this process. */
  waitingMax: number;
  /** Requests of one account, or of one client address, that may wait at a time. */
  perCallerMax: number;
  /** Concurrent reads for requests whose wait has ended: a burst of them leaves the database to others. */
  readingMax: number;
}

/** For anonymous reads: they take at most half of the concurrent loads. */
export const publicWaitOptions: ChangeWaitOptions = {
  waitingMax: unpublishedLimits.waitingReads,
  perCallerMax: unpublishedLimits.waitingReadsPerClient,
  readingMax: 2,
};

/** Largest delay in noticing that a wait is over. */
const SWEEP_MS = 250;

/** A request that waits for a change of one record. Close it in every case. */
export interface ChangeWait {
  /** Resolves true when the record may have changed since the last call, false when the wait is over. */
  changed(): Promise<boolean>;
  /** Lets it end within this time; it never ends later than it would have. */
  endWithin(ms: number): void;
  close(): void;
}

/**
 * Requests that wait for records to change, woken by the ids in hints. One timer serves all of them and runs
 * only while there are any; a waiting request costs only memory: 67 to 79 MB for 10,000 with their
 * connections (bench/memory/waiting.ts, Bun 1.4.4).
 */
export class ChangeWaits {
  readonly #options: ChangeWaitOptions;
  readonly #byRecord = new Map<string, Set<Waiting>>();
  readonly #countByCaller = new Map<string, number>();
  readonly #turns: (() => void)[] = [];
  #count = 0;
  #reading = 0;
  #released = false;
  #timer: Timer | undefined;
  /** Requests that found no room and got their response at once, for the metrics. */
  refused = 0;

  constructor(
    options: ChangeWaitOptions = {
      waitingMax: unpublishedLimits.waitingRequests,
      perCallerMax: unpublishedLimits.waitingRequestsPerAccount,
      readingMax: 6,
    },
  ) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Begins a wait. Call it before reading the record, so that no change between the two is missed. Null when
   * there is no room.
   */
  open(recordId: string, callerId: string, endsAtMs: number): ChangeWait | null {
    if (this.#released) return null;
    const ofCaller = this.#countByCaller.get(callerId) ?? 0;
    if (this.#count >= this.#options.waitingMax || ofCaller >= this.#options.perCallerMax) {
      this.refused += 1;
      return null;
    }
    const waiting = new Waiting(endsAtMs, () => this.#remove(recordId, callerId, waiting));
    const ofRecord = this.#byRecord.get(recordId);
    if (ofRecord === undefined) this.#byRecord.set(recordId, new Set([waiting]));
    else ofRecord.add(waiting);
    this.#count += 1;
    this.#countByCaller.set(callerId, ofCaller + 1);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS);
    return waiting;
  }

  /** Wakes the requests that wait for one of these records. */
  wake(recordIds: Iterable<string>): void {
    for (const id of recordIds) for (const waiting of this.#byRecord.get(id) ?? []) waiting.settle(true);
  }

  /** Wakes every request, because hints may have been missed. */
  wakeAll(): void {
    for (const ofRecord of this.#byRecord.values()) for (const waiting of ofRecord) waiting.settle(true);
  }

  /** Ends every wait and holds no further request: the process is about to stop. */
  release(): void {
    this.#released = true;
    for (const ofRecord of this.#byRecord.values()) for (const waiting of ofRecord) waiting.end();
  }

  /** Reads for a request whose wait has ended: a few reads at a time, first come, first served. */
  async read<Value>(load: () => Promise<Value>): Promise<Value> {
    if (this.#reading >= this.#options.readingMax) await new Promise<void>((turn) => this.#turns.push(turn));
    else this.#reading += 1;
    try {
      return await load();
    } finally {
      const next = this.#turns.shift();
      if (next === undefined) this.#reading -= 1;
      else next();
    }
  }

  #remove(recordId: string, callerId: string, waiting: Waiting): void {
    const ofRecord = this.#byRecord.get(recordId);
    if (ofRecord === undefined || !ofRecord.delete(waiting)) return;
    if (ofRecord.size === 0) this.#byRecord.delete(recordId);
    const left = (this.#countByCaller.get(callerId) ?? 1) - 1;
    if (left === 0) this.#countByCaller.delete(callerId);
    else this.#countByCaller.set(callerId, left);
    this.#count -= 1;
    if (this.#count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const ofRecord of this.#byRecord.values())
      for (const waiting of ofRecord) if (waiting.endsAtMs <= nowMs) waiting.end();
  }
}

class Waiting implements ChangeWait {
  endsAtMs: number;
  readonly close: () => void;
  #woken = false;
  #over = false;
  #resolve: ((changed: boolean) => void) | undefined;

  constructor(endsAtMs: number, close: () => void) {
    this.endsAtMs = endsAtMs;
    this.close = close;
  }

  changed(): Promise<boolean> {
    if (this.#over) return Promise.resolve(false);
    if (this.#woken) {
      this.#woken = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  endWithin(ms: number): void {
    this.endsAtMs = Math.min(this.endsAtMs, performance.now() + ms);
  }

  settle(changed: boolean): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve !== undefined) resolve(changed);
    else if (changed) this.#woken = true;
  }

  end(): void {
    this.#over = true;
    this.settle(false);
  }
}
