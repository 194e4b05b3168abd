import { getSignaturesForAddress, type SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { ObservedHead } from '../proofs/node-times.ts';
import { WalkEvidence } from '../proofs/walk-evidence.ts';
import type { NodeSet } from './node-set.ts';
import type { PoolCursor } from './pool-cursor.ts';
import { SignatureWalk } from './signature-walk.ts';

const LIST_TIMEOUT_MS = 4_000;

export interface PoolWalkOptions {
  nodes: NodeSet;
  /** The node that lists, and its head as observed before the walk. Null when none was observed. */
  rpc: ChainRpc;
  head: ObservedHead | null;
  poolAddress: string;
  /** The walk finds transactions after this one. Null for a pool that was never read. */
  cursor: PoolCursor | null;
  /** The node must have reached this slot. */
  atLeastSlot: bigint;
  /** Signatures per page. */
  pageSize: number;
}

/**
 * One walk through the history of a pool at one node: back to the cursor, then forward again with the records
 * that it found. Throws `NodeUnavailable` when the node fails.
 */
export class PoolWalk {
  readonly rpc: ChainRpc;
  readonly #evidence: WalkEvidence;
  readonly #signatures: SignatureWalk;
  #isListed = false;
  #hasNews = false;
  /** Records that were found and are not read yet, oldest first: at most one page. */
  #unread: SignatureRecord[] = [];

  constructor({ nodes, rpc, head, poolAddress, cursor, atLeastSlot, pageSize }: PoolWalkOptions) {
    this.rpc = rpc;
    this.#evidence = new WalkEvidence(head, {
      list({ minContextSlot = 0n, ...page }) {
        const range = {
          ...page,
          minContextSlot: minContextSlot > atLeastSlot ? minContextSlot : atLeastSlot,
        };
        return nodes.call(rpc, (node) => getSignaturesForAddress(node, poolAddress, range, LIST_TIMEOUT_MS));
      },
      isAvailable: () => nodes.available(0).includes(rpc),
    });
    this.#signatures = new SignatureWalk(this.#evidence, cursor, pageSize);
  }

  /** Whether the walk has found transactions after the cursor. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /**
   * Lists at most one page, unless records are unread.
   * - `more`: the walk back continues.
   * - `gap`: no record of this node may be used.
   * - `found`: records are unread.
   * - `end`: all records were read.
   */
  async advance(): Promise<'more' | 'gap' | 'found' | 'end'> {
    if (!this.#isListed) {
      const progress = await this.#signatures.advance();
      if (progress !== 'done') return progress;
      this.#isListed = true;
    }
    if (this.hasUnread) return 'found';
    const records = await this.#signatures.takeOldest();
    if (records === null) return 'end';
    this.#hasNews = true;
    this.#unread = records;
    return 'found';
  }

  /** The oldest unread records that fill whole slots: `limit`, or a larger first slot. */
  nextBatch(limit: number): SignatureRecord[] {
    return this.#unread.slice(0, wholeSlotCount(this.#unread, limit));
  }

  markRead(count: number): void {
    this.#unread = this.#unread.slice(count);
  }

  /**
   * The head up to which every transaction of the pool is read, once the walk has ended. Null when the walk
   * does not prove it.
   */
  get provenHead(): ObservedHead | null {
    const { isComplete, isCursorNewest } = this.#signatures;
    return isComplete && (this.#hasNews || isCursorNewest) ? this.#evidence.head : null;
  }
}

/** How many of the first `limit` records fill whole slots. A larger slot counts as a whole. */
export function wholeSlotCount(records: readonly SignatureRecord[], limit: number): number {
  if (records.length <= limit) return records.length;
  let count = limit;
  while (count > 0 && records[count - 1]?.slot === records[count]?.slot) count -= 1;
  if (count > 0) return count;
  count = limit;
  while (count < records.length && records[count]?.slot === records[0]?.slot) count += 1;
  return count;
}
