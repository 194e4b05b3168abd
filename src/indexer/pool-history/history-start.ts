import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';

/** `another`: read again, from another node if there is one; this one may lag or know only a part. */
export type StartVerdict = 'whole' | 'pruned' | 'another';

/** A node whose history really begins late says so twice. */
const TIMES_TOLD = 2;
/** After so many tries the reader no longer waits for the node that once knew more. */
const TIMES_ENOUGH = 4;

/**
 * Decides whether the first read of a pool may begin where a node's history begins. It may when the pool's creation
 * is there. Nodes prune, so without it the longest history on offer is taken, but only once it is told repeatedly.
 */
export class HistoryStart {
  readonly #told = new Map<string, { slot: bigint; times: number }>();

  judge(oldest: SignatureRecord, beginsWithCreation: boolean): StartVerdict {
    if (beginsWithCreation) return 'whole';
    const told = this.#told.get(oldest.signature) ?? { slot: oldest.slot, times: 0 };
    told.times += 1;
    this.#told.set(oldest.signature, told);
    const isLongest = [...this.#told.values()].every(({ slot }) => slot >= told.slot);
    const isEnough = (told.times >= TIMES_TOLD && isLongest) || told.times >= TIMES_ENOUGH;
    return isEnough ? 'pruned' : 'another';
  }
}
