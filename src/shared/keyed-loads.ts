import { BoundedMap } from './bounded-map.ts';
import type { ClientGate, Gate } from './gate.ts';
import { GatedLoads } from './gated-loads.ts';
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
 * Expensive values by key: concurrent callers share a load, unless they pass other gates. A loaded value is kept
 * for a while, for all callers; a failed load is not.
 */
export class KeyedLoads<Value> {
  readonly #values: BoundedMap<string, { value: Value; beganAtMs: number }>;
  readonly #loads = new SingleFlight<Value>();
  readonly #gated = new Map<Gate, GatedLoads<Value>>();
  readonly #options: KeyedLoadsOptions<Value>;
  readonly #nowMs: () => number;

  constructor(options: KeyedLoadsOptions<Value>) {
    this.#options = options;
    this.#values = new BoundedMap(options.entriesMax);
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** @param place where the load is run. If unset, it begins at once */
  get(key: string, load: () => Promise<Value>, place?: ClientGate): Promise<Value> {
    const kept = this.#values.get(key);
    if (kept !== undefined && this.#isServed(kept)) return Promise.resolve(kept.value);
    return this.#load(key, load, place);
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
    this.#loads.drop(key);
    for (const loads of this.#gated.values()) loads.drop(key);
  }

  clear(): void {
    this.#values.clear();
    this.#loads.clear();
    for (const loads of this.#gated.values()) loads.clear();
  }

  #load(key: string, load: () => Promise<Value>, place: ClientGate | undefined): Promise<Value> {
    let beganAtMs = 0;
    const timed = () => {
      beganAtMs = this.#nowMs();
      return load();
    };
    const keep = (result: PromiseSettledResult<Value>) => {
      const isNewest = beganAtMs >= (this.#values.get(key)?.beganAtMs ?? beganAtMs);
      if (result.status === 'fulfilled' && isNewest)
        this.#values.set(key, { value: result.value, beganAtMs });
    };
    if (place === undefined) return this.#loads.run(key, timed, keep);
    const loads = this.#gated.get(place.gate) ?? new GatedLoads<Value>();
    this.#gated.set(place.gate, loads);
    return loads.run(key, place, timed, keep);
  }
}
