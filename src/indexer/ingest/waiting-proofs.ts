import { newestProofs, type SourceProofClaim, storeSourceProofs } from '../store/source-proofs.ts';
import type { IngestSubscription } from './subscription.ts';

/** More proofs than can arrive during the longest wait of a message. */
const PROOFS_MAX = 1_000;

/**
 * Proofs from the stream that wait until every message before them is settled. They are acknowledged when
 * they come, because in the stream they would hold each other back. If a worker dies, its proofs are lost
 * until the next proof comes.
 */
export class WaitingProofs {
  #proofs: { seq: number; claim: SourceProofClaim }[] = [];

  get isEmpty(): boolean {
    return this.#proofs.length === 0;
  }

  /** False when too many proofs wait already. */
  add(seq: number, claim: SourceProofClaim): boolean {
    if (this.#proofs.length >= PROOFS_MAX) return false;
    this.#proofs.push({ seq, claim });
    return true;
  }

  /**
   * Stores the proofs whose earlier messages are all settled, in the transaction that records the settled
   * position. After a failure they still wait. Throws `DatabaseWentBack`, and stores nothing, when this
   * database does not have every settled message.
   */
  async storeReady(
    subscription: Pick<IngestSubscription, 'isRecordDue' | 'settledThrough' | 'record'>,
  ): Promise<void> {
    const isDue = subscription.isRecordDue();
    if (this.isEmpty && !isDue) return;
    const through = await subscription.settledThrough();
    const ready = this.#proofs.filter(({ seq }) => seq <= through + 1);
    if (ready.length === 0 && !isDue) return;
    const proofs = newestProofs(ready.map(({ claim }) => claim));
    await subscription.record(through, async (transaction) => {
      if (proofs.length > 0) await storeSourceProofs(transaction, proofs);
    });
    this.#proofs = this.#proofs.filter((one) => !ready.includes(one));
  }

  /** Called when a stream or a database was lost: its sequence numbers mean nothing in the next one. */
  clear(): void {
    this.#proofs = [];
  }
}
