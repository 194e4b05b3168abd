import { BoundedMap } from './bounded-map.ts';

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
  /** By the kind of callers, then by key. */
  readonly #loads = new Map<string, Map<string, Promise<Value>>>();
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
    return this.#loads.get(callers)?.get(key) ?? this.#load(key, load, callers);
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
    for (const loads of this.#loads.values()) loads.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#loads.clear();
  }

  #load(key: string, load: () => Promise<Value>, callers: string): Promise<Value> {
    const loads = this.#loads.get(callers) ?? new Map<string, Promise<Value>>();
    this.#loads.set(callers, loads);
    const beganAtMs = this.#nowMs();
    const loading = load().then(
      (value) => {
        const isNewest = beganAtMs >= (this.#values.get(key)?.beganAtMs ?? beganAtMs);
        if (endLoad(loads, key, loading) && isNewest) this.#values.set(key, { value, beganAtMs });
        return value;
      },
      (error) => {
        endLoad(loads, key, loading);
        throw error;
      },
    );
    loads.set(key, loading);
    return loading;
  }
}

/** Only the load that is still current may fill the entry. */
function endLoad<Value>(loads: Map<string, Promise<Value>>, key: string, loading: Promise<Value>): boolean {
  if (loads.get(key) !== loading) return false;
  loads.delete(key);
  return true;
}
