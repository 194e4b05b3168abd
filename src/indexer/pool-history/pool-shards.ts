/** The same in every release that runs at once. Sixteen workers read pools at most. */
export const POOL_SHARDS = 16;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The shard of a pool: 32-bit FNV-1a of its address. Every worker computes the same. */
export function shardOf(poolAddress: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < poolAddress.length; at += 1)
    hash = Math.imul(hash ^ poolAddress.charCodeAt(at), FNV_PRIME);
  return (hash >>> 0) % POOL_SHARDS;
}

/** The shards of this worker. It has none until the first change. */
export class PoolShards {
  #held: ReadonlySet<number> = new Set();
  readonly #listeners = new Set<() => Promise<void>>();

  get count(): number {
    return this.#held.size;
  }

  has(poolAddress: string): boolean {
    return this.#held.has(shardOf(poolAddress));
  }

  /** Calls `listener` after each change, once the listeners before it have resolved. */
  listen(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async hold(shards: ReadonlySet<number>): Promise<void> {
    this.#held = shards;
    for (const listener of [...this.#listeners]) await listener();
  }
}
