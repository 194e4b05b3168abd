import { RPC_CODE, RpcError } from './rpc-errors.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A block is confirmed this many slots after its own. */
const CONFIRMED_AFTER_SLOTS = 1n;
/** Block height trails the slot by this constant, so code that mixes the two is off by far more than a window. */
const HEIGHT_LAG_SLOTS = 1_000n;
/** The first slot of a new chain: late enough that height and the windows before it are positive. */
export const FIRST_SLOT = 2_000n;

/** Block height at a slot; no slot is ever skipped here. */
export function heightAtSlot(slot: bigint): bigint {
  return slot - HEIGHT_LAG_SLOTS;
}

/** What one RPC node has seen: the ledger's slot, or an older one when the node lags. */
export class LedgerView {
  readonly headSlot: bigint;
  readonly #finalizedAfterSlots: bigint;

  constructor(headSlot: bigint, finalizedAfterSlots: bigint) {
    this.headSlot = headSlot < FIRST_SLOT ? FIRST_SLOT : headSlot;
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
    return slot < FIRST_SLOT ? FIRST_SLOT : slot;
  }

  /** How far the block of a slot has come, seen from this node. */
  commitmentOf(slot: bigint): Commitment {
    const age = this.headSlot - slot;
    if (age >= this.#finalizedAfterSlots) return 'finalized';
    return age >= CONFIRMED_AFTER_SLOTS ? 'confirmed' : 'processed';
  }

  /** The slot to answer from. @throws RpcError -32016 when the node has not reached `minContextSlot`. */
  contextSlot(commitment: Commitment, minContextSlot: bigint | undefined): bigint {
    const slot = this.slotAt(commitment);
    if (minContextSlot !== undefined && slot < minContextSlot)
      throw new RpcError(RPC_CODE.minContextSlotNotReached, 'Minimum context slot has not been reached', {
        contextSlot: slot,
      });
    return slot;
  }
}
