import { newestProofs, type SourceProofClaim, storeSourceProofs } from '../store/source-proofs.ts';
import type { IngestSubscription } from './subscription.ts';

/** More than come while a message waits for as long as it may. */
const HELD_MAX = 1_000;

/**
 * Proofs that were taken from the stream and wait here until every message before them is settled. They are acknowledged
 * when they are taken: left in the stream they would hold each other back. Those of a worker that dies are lost, which
 * costs the time until the next proof.
 */
export class HeldProofs {
  #held: { seq: number; claim: SourceProofClaim }[] = [];

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** False when too many wait already. */
  hold(seq: number, claim: SourceProofClaim): boolean {
    if (this.#held.length >= HELD_MAX) return false;
    this.#held.push({ seq, claim });
    return true;
  }

  /**
   * Stores those that everything before has been settled for, in the transaction that records how far that is. After a failure they
   * are still held. Throws `DatabaseWentBack` when what was settled is not all in this database: then nothing is stored.
   */
  async storeReady(
    subscription: Pick<IngestSubscription, 'isRecordDue' | 'settledThrough' | 'record'>,
  ): Promise<void> {
    const isDue = subscription.isRecordDue();
    if (this.isEmpty && !isDue) return;
    const through = await subscription.settledThrough();
    const ready = this.#held.filter(({ seq }) => seq <= through + 1);
    if (ready.length === 0 && !isDue) return;
    const proofs = newestProofs(ready.map(({ claim }) => claim));
    await subscription.record(through, async (transaction) => {
      if (proofs.length > 0) await storeSourceProofs(transaction, proofs);
    });
    this.#held = this.#held.filter((one) => !ready.includes(one));
  }

  /** For a stream or a database that was lost: its places mean nothing in the next one. */
  clear(): void {
    this.#held = [];
  }
}
