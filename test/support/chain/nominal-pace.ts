import type { PacedSlot } from '../../../src/chain/head.ts';
import { paceOf } from '../../../src/chain/pace/measured-pace.ts';

/** The pace that a process assumes until it has measured one. */
export const nominalPace = paceOf([]);

/** A head at this slot, at that pace. */
export function pacedSlot(slot: bigint | null): PacedSlot | null {
  return slot === null ? null : { slot, slotsPerSecond: nominalPace.slotsPerSecond };
}
