import { LOOKUP_TABLE_PROGRAM } from './address-lookup.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { VirtualMachine } from './vm.ts';

const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';
// Lookup tables are created from a recent slot hash; these many are shown to the program, not the chain's 512.
const SLOT_HASHES_SHOWN = 64n;

/**
 * Brings the slot-hashes sysvar up to date for whoever can read it. It costs about a millisecond, so the others do
 * not pay for it.
 */
export function showSlotHashes(
  vm: VirtualMachine,
  ring: BlockhashRing,
  headSlot: bigint,
  keys: readonly string[],
): void {
  if (!keys.includes(LOOKUP_TABLE_PROGRAM) && !keys.includes(SLOT_HASHES)) return;
  const newestFirst: { slot: bigint; hash: string }[] = [];
  for (let back = 1n; back <= SLOT_HASHES_SHOWN; back += 1n)
    newestFirst.push({ slot: headSlot - back, hash: ring.hashOf(headSlot - back) });
  vm.setSlotHashes(newestFirst);
}
