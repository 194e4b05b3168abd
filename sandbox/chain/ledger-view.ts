import { CONFIRMED_AFTER_SLOTS, type Commitment, FIRST_SLOT } from './commitment.ts';
import { RPC_CODE, RpcError } from './rpc-errors.ts';
import type { SkippedSlots } from './skipped-slots.ts';

/** What one RPC node has seen: the ledger's slot, or an older one when the node lags. */
export class LedgerView {
  readonly headSlot: bigint;
  readonly #finalizedAfterSlots: bigint;
  readonly #skipped: SkippedSlots;

  constructor(headSlot: bigint, finalizedAfterSlots: bigint, skipped: SkippedSlots) {
    this.#skipped = skipped;
    this.headSlot = skipped.newestBlockAt(headSlot < FIRST_SLOT ? FIRST_SLOT : headSlot);
    this.#finalizedAfterSlots = finalizedAfterSlots;
  }

  /** The newest slot that has reached a commitment. */
  slotAt(commitment: Commitment): bigint {
    const distance = {
      processed: 0n,
      confirmed: CONFIRMED_AFTER_SLOTS,
      finalized: this.#finalizedAfterSlots,
    };
    const slot = this.headSlot - distance[commitment];
    return slot < FIRST_SLOT ? FIRST_SLOT : this.#skipped.newestBlockAt(slot);
  }

  /** How far the block of a slot has come, seen from this node. */
  commitmentOf(slot: bigint): Commitment {
    const age = this.headSlot - slot;
    if (age >= this.#finalizedAfterSlots) return 'finalized';
    return age >= CONFIRMED_AFTER_SLOTS ? 'confirmed' : 'processed';
  }

  /** The slot to answer from. Throws RpcError -32016 when the node has not reached `minContextSlot`. */
  contextSlot(commitment: Commitment, minContextSlot: bigint | undefined): bigint {
    const slot = this.slotAt(commitment);
    if (minContextSlot !== undefined && slot < minContextSlot)
      throw new RpcError(RPC_CODE.minContextSlotNotReached, 'Minimum context slot has not been reached', {
        contextSlot: slot,
      });
    return slot;
  }
}
