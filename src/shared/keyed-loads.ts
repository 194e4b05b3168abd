import { BoundedMap } from './bounded-map.ts';
import { SingleFlight } from './single-flight.ts';

export interface KeyedLoadsOptions<Value> {
  /** A value is served for at most this long after its load began. A function is called at each look-up. */
  maxAgeMs: number | (() => number);
  entriesMax: number;
  nowMs?: () => number;
  /** Whether a value within its age may still be served. */
  isCurrent?: (value: Value) => boolean;
}

/**
 * Expensive values by key: concurrent callers of one kind share a load. A loaded value is kept for a while,
 * for callers of every kind; a failed load is not.
 */
export class KeyedLoads<Value> {
  readonly #values: BoundedMap<string, { value: Value; beganAtMs: number }>;
  /** By the kind of callers. */
  readonly #loads = new Map<string, SingleFlight<Value>>();
  readonly #options: KeyedLoadsOptions<Value>;
  readonly #nowMs: () => number;

  constructor(options: KeyedLoadsOptions<Value>) {
    this.#options = options;
    this.#values = new BoundedMap(options.entriesMax);
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /**
   * @param callers kind of the callers: a kind that may wait longer, or be refused, does not delay other
   * kinds
   */
  get(key: string, load: () => Promise<Value>, callers = ''): Promise<Value> {
    const kept = this.#values.get(key);
    if (kept !== undefined && this.#isServed(kept)) return Promise.resolve(kept.value);
    return this.#load(key, load, callers);
  }

  /** Returns the kept value that `get` would serve without a load; undefined when there is none. */
  kept(key: string): Value | undefined {
    const kept = this.#values.get(key);
    return kept !== undefined && this.#isServed(kept) ? kept.value : undefined;
  }

  #isServed({ value, beganAtMs }: { value: Value; beganAtMs: number }): boolean {
    const { maxAgeMs, isCurrent } = this.#options;
    const ageMaxMs = typeof maxAgeMs === 'number' ? maxAgeMs : maxAgeMs();
    return this.#nowMs() - beganAtMs < ageMaxMs && isCurrent?.(value) !== false;
  }

  /** Drops a key; the result of a running load is not kept either. */
  drop(key: string): void {
    this.#values.delete(key);
    for (const loads of this.#loads.values()) loads.drop(key);
  }

  clear(): void {
    this.#values.clear();
    this.#loads.clear();
  }

  #load(key: string, load: () => Promise<Value>, callers: string): Promise<Value> {
    const loads = this.#loads.get(callers) ?? new SingleFlight<Value>();
    this.#loads.set(callers, loads);
    const beganAtMs = this.#nowMs();
    return loads.run(key, load, (result) => {
      const isNewest = beganAtMs >= (this.#values.get(key)?.beganAtMs ?? beganAtMs);
      if (result.status === 'fulfilled' && isNewest)
        this.#values.set(key, { value: result.value, beganAtMs });
    });
  }
}
