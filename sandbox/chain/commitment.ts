export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A block is confirmed this many slots after its own. */
export const CONFIRMED_AFTER_SLOTS = 1n;
/** Block height trails the slot by this constant, so code that mixes the two is off by far more than a window. */
const HEIGHT_LAG_SLOTS = 1_000n;
/** The first slot of a new chain: late enough that height and the windows before it are positive. */
export const FIRST_SLOT = 2_000n;

/** Block height at a slot of a chain without skipped slots. */
export function heightAtSlot(slot: bigint): bigint {
  return slot - HEIGHT_LAG_SLOTS;
}
