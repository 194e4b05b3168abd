import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { SignatureSource } from '../pool-history/signature-walk.ts';
import type { ObservedHead } from './node-times.ts';

/** A node as the source of one pool's signatures. */
export interface NodeSource extends SignatureSource {
  /** False while the node is left alone because it failed. A refused request is no failure of the node. */
  isAvailable(): boolean;
}

/**
 * The proof from a walk through a pool's history at one node: the node shows everything up to its observed
 * head. One name may lead to many machines, so the newest page is requested with the head's slot. A machine
 * that lags refuses. A list without this condition proves nothing.
 */
export class WalkEvidence implements SignatureSource {
  readonly #node: NodeSource;
  #head: ObservedHead | null;

  /** @param head observed before the walk. Null when there is none: then the walk proves nothing. */
  constructor(head: ObservedHead | null, node: NodeSource) {
    this.#head = head;
    this.#node = node;
  }

  /** The head that the walk proves when it reaches its end. */
  get head(): ObservedHead | null {
    return this.#head;
  }

  async list(range: SignatureRange): Promise<SignatureRecord[]> {
    if (this.#head === null || range.before !== undefined) return this.#node.list(range);
    try {
      return await this.#node.list({ ...range, minContextSlot: this.#head.slot });
    } catch (error) {
      if (!this.#node.isAvailable()) throw error;
      this.#head = null;
      return this.#node.list(range);
    }
  }
}
