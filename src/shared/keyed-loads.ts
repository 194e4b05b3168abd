import { BoundedMap } from './bounded-map.ts';
import { SingleFlight } from './single-flight.ts';

export interface KeyedLoadsOptions<Value> {
  /** A value is not served longer than this after its load began. */
  maxAgeMs: number;
  entriesMax: number;
  nowMs?: () => number;
  /** Whether a value that is young enough may still be served. */
  isCurrent?: (value: Value) => boolean;
}

/**
 * Values that cost something, by key: callers of one kind share a load at the same time, and a value that came is kept for a
 * while, for callers of every kind. A load that failed is not.
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

  /** @param callers the kind of callers: one that may have to wait longer, or is refused, keeps those of other kinds from nothing. */
  get(key: string, load: () => Promise<Value>, callers = ''): Promise<Value> {
    const kept = this.#values.get(key);
    if (kept !== undefined && this.#isServed(kept)) return Promise.resolve(kept.value);
    return this.#load(key, load, callers);
  }

  /** What would be served without a load; undefined when nothing would. */
  kept(key: string): Value | undefined {
    const kept = this.#values.get(key);
    return kept !== undefined && this.#isServed(kept) ? kept.value : undefined;
  }

  #isServed({ value, beganAtMs }: { value: Value; beganAtMs: number }): boolean {
    const { maxAgeMs, isCurrent } = this.#options;
    return this.#nowMs() - beganAtMs < maxAgeMs && isCurrent?.(value) !== false;
  }

  /** Forgets a key; a load that runs meanwhile is not kept either. */
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
