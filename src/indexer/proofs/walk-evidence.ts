import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ListSignatures } from '../pool-history/continuity.ts';
import type { ObservedHead } from './node-times.ts';

/**
 * What the walk through a pool's history at one node proves: that it shows everything up to a head of that node. One
 * name may stand for many machines, so the head's slot is demanded with the newest page: a machine that lags behind it
 * refuses, and what it lists then without that demand proves nothing.
 */
export class WalkEvidence {
  readonly #list: ListSignatures;
  readonly #isRefusal: () => boolean;
  #head: ObservedHead | null;

  /**
   * @param head observed before the walk; null when there is none, and then nothing is proven.
   * @param isRefusal whether the request that just failed was refused by a node that goes on responding.
   */
  constructor(head: ObservedHead | null, list: ListSignatures, isRefusal: () => boolean) {
    this.#head = head;
    this.#list = list;
    this.#isRefusal = isRefusal;
  }

  /** The head that the walk proves once it has reached its end. */
  get head(): ObservedHead | null {
    return this.#head;
  }

  async list(range: SignatureRange): Promise<SignatureRecord[]> {
    if (this.#head === null || range.before !== undefined) return this.#list(range);
    try {
      return await this.#list({ ...range, minContextSlot: this.#head.slot });
    } catch (error) {
      if (!this.#isRefusal()) throw error;
      this.#head = null;
      return this.#list(range);
    }
  }
}
