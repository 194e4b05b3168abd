export interface GatheringQueueOptions<Item, Outcome> {
  /** Writes a whole batch or nothing of it. Returns one outcome for each item, in their order. */
  write(items: readonly Item[]): Promise<readonly Outcome[]>;
  batchMax: number;
  /** Concurrent writes. */
  writersMax: number;
  /** Concurrent writes while batches are full, where more of them help. */
  fullWritersMax?: number;
  /** A batch that is not full waits this long for more items, once a writer is free. */
  gatherMs?: number;
  /** Items with a common key never share a batch: the later item goes into a later batch. */
  keysOf?(item: Item): readonly string[];
  /**
   * True when single items may have caused the failure of a batch: each item is then written alone, and fails
   * alone.
   */
  isFaultOfItem?(error: unknown): boolean;
}

interface Queued<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Writes items in batches: items that arrive while all writers are busy share the next write. Callers bound
 * the queue by `size`.
 */
export class GatheringQueue<Item, Outcome> {
  readonly #options: GatheringQueueOptions<Item, Outcome>;
  readonly #idle: (() => void)[] = [];
  #queued: Queued<Item, Outcome>[] = [];
  #unwritten = 0;
  #writing = 0;
  /** Runs while a batch waits for more items. */
  #gathering: Timer | undefined;

  constructor(options: GatheringQueueOptions<Item, Outcome>) {
    this.#options = options;
  }

  /** Items in the queue or in a running write. */
  get size(): number {
    return this.#unwritten;
  }

  /** Resolves with the item's own outcome. Rejects as its write does. */
  add(item: Item): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#unwritten += 1;
    this.#queued.push({ item, resolve, reject });
    this.#next();
    return promise;
  }

  /** Writes a batch that waits for more items, once a writer is free. */
  flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#mayWrite(this.#options.writersMax)) void this.#writeBatch();
  }

  /** Resolves when nothing is left to write. */
  async drained(): Promise<void> {
    while (this.#unwritten > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    const { batchMax, writersMax, fullWritersMax = writersMax, gatherMs = 0 } = this.#options;
    while (this.#queued.length >= batchMax && this.#writing < fullWritersMax) void this.#writeBatch();
    if (gatherMs === 0) {
      while (this.#mayWrite(writersMax)) void this.#writeBatch();
    } else if (this.#gathering === undefined && this.#mayWrite(writersMax)) {
      this.#gathering = setTimeout(() => this.flush(), gatherMs);
    }
  }

  #mayWrite(writersMax: number): boolean {
    return this.#queued.length > 0 && this.#writing < writersMax;
  }

  /** Never rejects. */
  async #writeBatch(): Promise<void> {
    const batch = this.#takeBatch();
    this.#writing += 1;
    const results = await this.#write(batch.map(({ item }) => item));
    this.#writing -= 1;
    this.#unwritten -= batch.length;
    for (const [at, { resolve, reject }] of batch.entries()) {
      const result = results[at];
      if (result?.status === 'fulfilled') resolve(result.value);
      else reject(result?.reason);
    }
    this.#next();
    if (this.#unwritten > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Takes the items that have waited longest, except those that share a key with one of them. */
  #takeBatch(): Queued<Item, Outcome>[] {
    const { batchMax, keysOf } = this.#options;
    if (keysOf === undefined) return this.#queued.splice(0, batchMax);
    const taken: Queued<Item, Outcome>[] = [];
    const left: Queued<Item, Outcome>[] = [];
    const keys = new Set<string>();
    for (const queued of this.#queued) {
      const own = keysOf(queued.item);
      const isTaken = taken.length < batchMax && !own.some((key) => keys.has(key));
      (isTaken ? taken : left).push(queued);
      if (isTaken) for (const key of own) keys.add(key);
    }
    this.#queued = left;
    return taken;
  }

  async #write(items: readonly Item[]): Promise<PromiseSettledResult<Outcome>[]> {
    const { write, isFaultOfItem } = this.#options;
    try {
      const outcomes = await write(items);
      if (outcomes.length !== items.length)
        throw new TypeError('a batch returned too few or too many outcomes');
      return outcomes.map((value) => ({ status: 'fulfilled', value }));
    } catch (reason) {
      if (items.length === 1 || isFaultOfItem?.(reason) !== true)
        return items.map(() => ({ status: 'rejected', reason }));
    }
    const results: PromiseSettledResult<Outcome>[] = [];
    for (const item of items) results.push(...(await this.#write([item])));
    return results;
  }
}
