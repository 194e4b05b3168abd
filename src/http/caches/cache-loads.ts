import type { ClientGate } from '../../shared/gate.ts';
import { GatedLoads } from '../../shared/gated-loads.ts';
import type { Freshness } from './cache-reader.ts';

/**
 * Loads of a cache, one at a time for each key. A load that a change overtakes goes on: where loads take as long as
 * changes are apart, each would be overtaken, and every read a load of its own.
 */
export class CacheLoads<Value> {
  readonly #loads = new GatedLoads<Value>();
  /** By key of a running load: when the first change overtook it. */
  readonly #overtakenAtMs = new Map<string, number | null>();

  /** The load of a key that has begun. */
  begun(key: string): Promise<Value> | undefined {
    return this.#loads.begun(key);
  }

  /** Whether a reader that comes now may get what the running load of this key brings. */
  serves(key: string, freshness: Freshness): boolean {
    return freshness !== 'fresh' && this.#overtakenAtMs.get(key) === null;
  }

  /**
   * Joins the running load of a key, or begins it. Rejects with GateRefused as well.
   *
   * @param keep gets the result, and when a change overtook the load; not called for a load that was forgotten
   */
  run(
    key: string,
    place: ClientGate,
    work: () => Promise<Value>,
    keep: (result: PromiseSettledResult<Value>, overtakenAtMs: number | null) => void,
  ): Promise<Value> {
    const begin = () => {
      this.#overtakenAtMs.set(key, null);
      return work();
    };
    return this.#loads.run(key, place, begin, (result) => {
      const overtakenAtMs = this.#overtakenAtMs.get(key) ?? null;
      this.#overtakenAtMs.delete(key);
      keep(result, overtakenAtMs);
    });
  }

  /** A change of this key overtakes its running load. */
  overtake(key: string, atMs: number): void {
    if (this.#overtakenAtMs.get(key) === null) this.#overtakenAtMs.set(key, atMs);
  }

  /** A change overtakes all running loads. */
  overtakeAll(atMs: number): void {
    for (const key of this.#overtakenAtMs.keys()) this.overtake(key, atMs);
  }

  /** Running loads reach those who wait for them, and nobody else. */
  forget(): void {
    this.#overtakenAtMs.clear();
    this.#loads.clear();
  }
}
