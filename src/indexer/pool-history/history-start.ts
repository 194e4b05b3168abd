import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';

/**
 * - `whole`: the history holds the pool's creation.
 * - `pruned`: it does not, and no node has a longer history.
 * - `another`: read again, from another node if there is one, because this one may lag or lack a part.
 */
export type StartVerdict = 'whole' | 'pruned' | 'another';

/** A history without the creation is accepted after this many equal reports. */
const REPORTS_MIN = 2;
/** After this many reports the reader stops waiting for a node that once reported a longer history. */
const REPORTS_ENOUGH = 4;

/**
 * Decides whether the first read of a pool may begin at the start of a node's history. It may when the
 * history holds the pool's creation. Nodes prune, so otherwise the longest available history is used, after
 * repeated reports of it.
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
