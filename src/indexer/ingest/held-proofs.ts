import { newestProofs, type SourceProofClaim, storeSourceProofs } from '../store/source-proofs.ts';
import type { KindDependencies } from './kind-dependencies.ts';

/** More than come while a message waits for as long as it may. */
const HELD_MAX = 1_000;

/** Tells up to which place all messages of the stream are acknowledged, whichever worker had them. */
export type AcknowledgedThrough = () => Promise<number>;

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

  /** Stores those that everything before has been settled for. After a failure they are still held. */
  async storeReady(
    { db }: Pick<KindDependencies, 'db'>,
    acknowledgedThrough: AcknowledgedThrough,
  ): Promise<void> {
    if (this.isEmpty) return;
    const settled = await acknowledgedThrough();
    const ready = this.#held.filter(({ seq }) => seq <= settled + 1);
    if (ready.length === 0) return;
    const proofs = newestProofs(ready.map(({ claim }) => claim));
    await db.begin((transaction) => storeSourceProofs(transaction, proofs));
    this.#held = this.#held.filter((one) => !ready.includes(one));
  }

  /** For a stream that was lost: its places mean nothing in the next one. */
  clear(): void {
    this.#held = [];
  }
}
