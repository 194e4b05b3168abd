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
 * Values that cost something, by key: callers at the same time share one load, and a value that came is kept for a while.
 * A load that failed is not.
 */
export class KeyedLoads<Value> {
  readonly #values: BoundedMap<string, { value: Value; beganAtMs: number }>;
  readonly #loads = new Map<string, Promise<Value>>();
  readonly #options: KeyedLoadsOptions<Value>;
  readonly #nowMs: () => number;

  constructor(options: KeyedLoadsOptions<Value>) {
    this.#options = options;
    this.#values = new BoundedMap(options.entriesMax);
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const { maxAgeMs, isCurrent } = this.#options;
    const kept = this.#values.get(key);
    if (kept !== undefined && this.#nowMs() - kept.beganAtMs < maxAgeMs && isCurrent?.(kept.value) !== false)
      return Promise.resolve(kept.value);
    return this.#loads.get(key) ?? this.#load(key, load);
  }

  /** Forgets a key; a load that runs meanwhile is not kept either. */
  drop(key: string): void {
    this.#values.delete(key);
    this.#loads.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#loads.clear();
  }

  #load(key: string, load: () => Promise<Value>): Promise<Value> {
    const beganAtMs = this.#nowMs();
    const loading = load().then(
      (value) => {
        if (this.#end(key, loading)) this.#values.set(key, { value, beganAtMs });
        return value;
      },
      (error) => {
        this.#end(key, loading);
        throw error;
      },
    );
    this.#loads.set(key, loading);
    return loading;
  }

  /** Only the load that is still current may fill the entry. */
  #end(key: string, loading: Promise<Value>): boolean {
    if (this.#loads.get(key) !== loading) return false;
    this.#loads.delete(key);
    return true;
  }
}
