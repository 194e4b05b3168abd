import type { BlockText } from '../../chain/rpc/block-text.ts';

/** Pools that read a block of one slot do so within a few slots. A block has some five megabytes. */
const BLOCKS_KEPT = 4;
const SLOTS_KEPT = 32;

/** The blocks that several pools read, and how many pools changed in each of the last slots. */
export class SharedBlocks {
  readonly #changed = new Map<bigint, Set<string>>();
  readonly #blocks = new Map<bigint, Promise<BlockText | null>>();

  /** Records that a stream has reported a change of the pool in this slot. */
  noteChange(poolAddress: string, slot: bigint): void {
    const pools = this.#changed.get(slot) ?? new Set();
    pools.add(poolAddress);
    keep(this.#changed, slot, pools, SLOTS_KEPT);
  }

  /** Pools that changed in this slot, each of which has at least one transaction there. */
  changedCount(slot: bigint): number {
    return this.#changed.get(slot)?.size ?? 0;
  }

  /**
   * The block of this slot, fetched once for all pools that ask. It is fetched again when it does not have everything
   * that is wanted, because a node may have another block there. Null when `fetch` finds none with all of it.
   */
  async read(
    slot: bigint,
    isWhole: (block: BlockText) => boolean,
    fetch: () => Promise<BlockText | null>,
  ): Promise<BlockText | null> {
    const known = this.#blocks.get(slot);
    const block = await known;
    if (known !== undefined && (block == null || isWhole(block))) return block ?? null;
    // Another pool may have begun to fetch it again.
    const other = this.#blocks.get(slot);
    const fetched = other === known ? fetch() : other;
    if (fetched === undefined) return null;
    keep(this.#blocks, slot, fetched, BLOCKS_KEPT);
    const again = await fetched;
    return again !== null && isWhole(again) ? again : null;
  }
}

/** Sets the entry, and deletes the oldest ones above the limit. */
function keep<Value>(entries: Map<bigint, Value>, slot: bigint, value: Value, limit: number): void {
  entries.set(slot, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(oldest);
  }
}
