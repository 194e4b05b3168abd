import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ListSignatures } from '../pool-history/continuity.ts';
import type { ObservedHead } from './node-times.ts';

/**
 * The proof from a walk through a pool's history at one node: the node shows everything up to its observed
 * head. One name may lead to many machines, so the newest page is requested with the head's slot. A machine
 * that lags refuses. A list without this condition proves nothing.
 */
export class WalkEvidence {
  readonly #list: ListSignatures;
  readonly #isRefusal: () => boolean;
  #head: ObservedHead | null;

  /**
   * @param head observed before the walk. Null when there is none: then the walk proves nothing.
   * @param isRefusal whether the node refused the failed request and still responds to others.
   */
  constructor(head: ObservedHead | null, list: ListSignatures, isRefusal: () => boolean) {
    this.#head = head;
    this.#list = list;
    this.#isRefusal = isRefusal;
  }

  /** The head that the walk proves when it reaches its end. */
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
