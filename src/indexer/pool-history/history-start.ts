import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';

/**
 * - `whole`: the pool's creation is there.
 * - `pruned`: it is not, and no node offers a longer history.
 * - `another`: read again, from another node if there is one; this one may lag or know only a part.
 */
export type StartVerdict = 'whole' | 'pruned' | 'another';

/** A history that begins late is accepted when it has been reported this often. */
const REPORTS_MIN = 2;
/** After this many reports the reader no longer waits for the node that once knew more. */
const REPORTS_ENOUGH = 4;

/**
 * Decides whether the first read of a pool may begin where a node's history begins. It may when the pool's creation
 * is there. Nodes prune, so without it the longest available history is taken, but only once it is reported repeatedly.
 */
export class HistoryStart {
  readonly #reported = new Map<string, { slot: bigint; times: number }>();

  judge(oldest: SignatureRecord, beginsWithCreation: boolean): StartVerdict {
    if (beginsWithCreation) return 'whole';
    const report = this.#reported.get(oldest.signature) ?? { slot: oldest.slot, times: 0 };
    report.times += 1;
    this.#reported.set(oldest.signature, report);
    const isLongest = [...this.#reported.values()].every(({ slot }) => slot >= report.slot);
    const isEnough = (report.times >= REPORTS_MIN && isLongest) || report.times >= REPORTS_ENOUGH;
    return isEnough ? 'pruned' : 'another';
  }
}
